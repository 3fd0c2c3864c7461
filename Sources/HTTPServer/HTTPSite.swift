import CMicroHTTPD
import Glibc
import Synchronization

/// What libmicrohttpd's callbacks need to know of one listening socket.
final class HTTPSite {
  let local: LoopbackEndpoint
  let limits: HTTPLimits
  private let handler: any HTTPHandler
  private let waiting = Mutex<[ObjectIdentifier: HTTPExchange]>([:])

  init(local: LoopbackEndpoint, limits: HTTPLimits, handler: any HTTPHandler) {
    self.local = local
    self.limits = limits
    self.handler = handler
  }

  func admits(_ peer: LoopbackEndpoint) -> Bool { handler.admits(peer, connectedTo: local) }

  /// The request's headers are in: refuses what is too much before a body is read.
  func open(_ exchange: HTTPExchange, headers: [HTTPRequest.Header]) {
    if headers.count > limits.headerCount { exchange.refuse(431) }
    let announced = headers.filter { $0.name.lowercased() == "content-length" }
    if announced.contains(where: { (Int($0.value) ?? .max) > limits.body }) { exchange.refuse(413) }
  }

  /// The request is whole.
  func outcome(_ exchange: HTTPExchange, method: String, headers: [HTTPRequest.Header]) -> HTTPOutcome {
    if let status = exchange.refusal { return .respond(HTTPResponse(status, headers: [.init("Connection", "close")])) }
    return exchange.takeOutcome()
      ?? handler.handle(exchange.request(method: method, headers: headers), on: exchange)
  }

  /// Keeps a request waiting, and in mind.
  func suspend(_ exchange: HTTPExchange) {
    waiting.withLock { $0[ObjectIdentifier(exchange)] = exchange }
    exchange.suspend()
  }

  func forget(_ exchange: HTTPExchange) { waiting.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(exchange)) } }

  /// Closes what still waits: libmicrohttpd aborts the process when it is stopped with suspended connections.
  func closeWaiting() {
    for exchange in waiting.withLock({ Array($0.values) }) { exchange.finish(.close) }
  }
}

// C callbacks: file-scope functions, so that no actor is inferred for them.

/// libmicrohttpd has accepted a connection and read nothing of it.
func admitPeer(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
  guard let context = unsafe context, let address = unsafe address else { return .NO }
  let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(length))
  guard let peer = unsafe LoopbackEndpoint(bytes) else { return .NO }
  return unsafe Unmanaged<HTTPSite>.fromOpaque(context).takeUnretainedValue().admits(peer) ? .YES : .NO
}

/// libmicrohttpd has read the request line: makes the exchange that it carries along as the request's context.
func beginExchange(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection else { return nil }
  let site = unsafe Unmanaged<HTTPSite>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe HTTPExchange(connection, target: target, limits: site.limits)
  return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// The request is over, answered or not: lets the exchange go.
func endExchange(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let slot = unsafe request, let pointer = unsafe slot.pointee, let context = unsafe context else { return }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
  unsafe Unmanaged<HTTPSite>.fromOpaque(context).takeUnretainedValue().forget(exchange)
  unsafe slot.pointee = nil
}

/// Called when the headers are in, for each piece of body, at the end, and again when a waiting request goes on.
func answerExchange(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
  _ uploadCount: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
    let uploadCount = unsafe uploadCount, let pointer = unsafe request?.pointee
  else { return .NO }
  let site = unsafe Unmanaged<HTTPSite>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  if let upload = unsafe upload, unsafe uploadCount.pointee > 0 {
    let piece = unsafe UnsafeRawBufferPointer(start: upload, count: uploadCount.pointee)
    unsafe uploadCount.pointee = 0
    return unsafe exchange.append(piece, limit: site.limits.body) ? .YES : .NO
  }
  let headers = unsafe headerLines(of: connection)
  guard exchange.isOpen else {
    site.open(exchange, headers: headers)
    exchange.markOpen()
    return exchange.refusal.map { unsafe send(HTTPResponse($0, headers: [.init("Connection", "close")]), connection) }
      ?? .YES
  }
  switch site.outcome(exchange, method: unsafe String(cString: method), headers: headers) {
  case .respond(let response): return unsafe send(response, connection)
  case .close: return .NO
  case .wait:
    site.suspend(exchange)
    return .YES
  }
}

private func headerLines(of connection: OpaquePointer) -> [HTTPRequest.Header] {
  var lines: [HTTPRequest.Header] = []
  unsafe withUnsafeMutablePointer(to: &lines) {
    _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, collectHeader, $0)
  }
  return lines
}

private func collectHeader(
  _ lines: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameCount: Int,
  _ value: UnsafePointer<CChar>?, _ valueCount: Int
) -> MHD_Result {
  guard let lines = unsafe lines?.assumingMemoryBound(to: [HTTPRequest.Header].self) else { return .NO }
  unsafe lines.pointee.append(.init(text(name, nameCount), text(value, valueCount)))
  return .YES
}

/// Header bytes as text; what is not UTF-8 becomes replacement characters, which equal nothing we compare with.
private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
  unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
}
