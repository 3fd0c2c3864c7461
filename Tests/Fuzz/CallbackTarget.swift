import Exchange
import HTTPServer
import OAuth
import Secrets

extension FuzzTarget {
  /// From the browser to the attempt: the gate lets through only what a person's tab asks for, frames between the child
  /// and the daemon survive any cut, and an authorization response says what its query says.
  static let callback = FuzzTarget(name: "callback") { bytes in
    var choices = Choices(bytes)
    switch choices.byte() % 3 {
    case 0: checkGate(&choices)
    case 1: checkFrames(&choices)
    default: checkQuery(choices.rest())
    }
  }

  // MARK: The gate

  private static let listen = CallbackFrame.Listen(
    authority: "localhost:8976", path: "/cb", anyPort: false, deadline: 600, uid: 1000)

  private static func checkGate(_ choices: inout Choices) {
    let anyPort = choices.bool()
    let listen = CallbackFrame.Listen(
      authority: choices.one(of: ["localhost:8976", "127.0.0.1", "[::1]", "[::1]:8976"]), path: "/cb",
      anyPort: anyPort, deadline: 600, uid: 1000)
    let gate = CallbackGate(listen, port: 8976)
    if anyPort { require(gate.authority.hasSuffix(":8976"), "the port of an any-port redirect is the one bound") }
    let request = request(&choices, gate.authority)
    let owner: UInt32? = choices.one(of: [1000, 1000, 1000, 0, nil])
    let isOurs = owner == 1000 && request.values(of: "host") == [gate.authority] && request.method == "GET"
    switch gate.decide(request, owner: owner) {
    case .refuse(let status): require((400..<500).contains(status), "a refusal is the client's fault")
    case .page: require(isOurs, "a page is shown to our own browser only")
    case .hit(let query):
      require(isOurs && request.path == "/cb", "only our own browser at the registered path is a hit")
      require((1...CallbackFrame.maximumQuery).contains(query.count), "a hit has a query, and not too long a one")
      let names = request.headers.map { $0.name.lowercased() }
      require(!names.contains { $0 == "x-moz" || $0.hasSuffix("purpose") && $0.count < 12 }, "a prefetch is no hit")
      require(
        request.values(of: "sec-fetch-mode").allSatisfy { $0 == "navigate" }
          && request.values(of: "sec-fetch-dest").allSatisfy { $0 == "document" },
        "what another page loads is no hit")
    }
  }

  private static func request(_ choices: inout Choices, _ authority: String) -> HTTPRequest {
    let method = choices.one(of: ["GET", "GET", "GET", "get", "HEAD", "POST", "OPTIONS", ""])
    let path = choices.bool() ? "/cb" : choices.text()
    var headers: [HTTPRequest.Header] = choices.bool() ? [.init("Host", authority)] : []
    while headers.count < 8, choices.bool() {
      let name = choices.one(of: [
        "host", "HOST", "Sec-Purpose", "Purpose", "X-Purpose", "X-Moz", "Sec-Fetch-Mode", "sec-fetch-dest", "",
      ])
      let value = choices.one(of: [authority, "navigate", "document", "prefetch", ""])
      headers.append(.init(name.isEmpty ? choices.text() : name, value.isEmpty ? choices.text() : value))
    }
    let query = choices.optional { SecretBox(fuzzed: $0.bool() ? $0.rest() : [UInt8](repeating: 0x61, count: 8193)) }
    return HTTPRequest(method: method, path: path, query: query, headers: headers, body: nil, peer: nil, local: nil)
  }

  // MARK: The frames

  private static func checkFrames(_ choices: inout Choices) {
    let step = Int(choices.byte()) + 1
    let stream = choices.rest()
    let whole = frames(stream, step: max(1, stream.count))
    require(whole == frames(stream, step: step), "cutting the bytes of a child changes nothing")
    require(stream.starts(with: whole.joined()), "a frame is written as it was read")
  }

  /// The frames in a stream that comes in pieces, each as it is written again, until one is malformed.
  private static func frames(_ stream: [UInt8], step: Int) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var buffer = WipedBuffer()
    for start in stride(from: 0, to: stream.count, by: step) {
      unsafe buffer.append(Array(stream[start..<min(start + step, stream.count)]).span.bytes)
      do {
        while let (frame, count) = unsafe try buffer.withUnsafeBytes({ unsafe try CallbackFrame.decode($0) }) {
          buffer.consume(count)
          found.append(try frame.encoded().revealed)
        }
      } catch {
        return found
      }
      require(buffer.count < 4 + CallbackFrame.maximum, "no more than a frame is waited for")
    }
    return found
  }

  // MARK: The authorization response

  private static func checkQuery(_ query: [UInt8]) {
    let box = SecretBox(fuzzed: query)
    let found = summary { () throws(AuthorizationResponseError) in try AuthorizationResponse(query: box) }
    guard case .success(let response) = found else { return }
    let fields = plainFields(query)
    require(fields["state"] == [response.state], "the state is the query's only one")
    require(fields["code"].map { $0 == [response.outcome] } ?? (fields["error"]?.count == 1), "so is code or error")
    require(fields["iss"] ?? [] == response.issuer.map { [$0] } ?? [], "so is iss")
    checkPaste(query, response)
  }

  /// The same query, pasted with the URL around it.
  private static func checkPaste(_ query: [UInt8], _ response: Summary) {
    guard !query.contains(UInt8(ascii: "#")), query.count < 8000 else { return }
    let isBlank = { (byte: UInt8?) in byte.map { $0 <= 0x20 } ?? true }
    guard !isBlank(query.last) else { return }
    for (url, expected) in [
      ("\n http://LOCALHOST:8976/cb?", true), ("http://localhost:8977/cb?", false), ("http://localhost/cb?", false),
      ("https://localhost:8976/cb?", false), ("http://localhost:8976/?", false),
    ] {
      let text = SecretBox(fuzzed: Array(url.utf8) + query + Array("#_=_ \r\n".utf8))
      let found = summary { () throws(AuthorizationResponseError) in
        try AuthorizationResponse(pasted: text, redirect: redirect)
      }
      require((found == .success(response)) == expected, "a paste counts for its own redirect URI, and for no other")
    }
  }

  private static let redirect = {
    do throws(RedirectURIError) { return try RedirectURI("http://localhost:8976/cb") } catch {
      preconditionFailure("it is a redirect URI")
    }
  }()

  /// What a response says, outside of the arena.
  private struct Summary: Equatable {
    let state: [UInt8]
    let outcome: [UInt8]
    let issuer: [UInt8]?
  }

  private static func summary(
    _ body: () throws(AuthorizationResponseError) -> AuthorizationResponse
  ) -> Result<Summary, AuthorizationResponseError> {
    do throws(AuthorizationResponseError) {
      let response = try body()
      let outcome =
        switch response.outcome {
        case .code(let code): code.revealed
        case .error(let error): Array("error \(error)".utf8)
        }
      return .success(
        Summary(state: response.state.revealed, outcome: outcome, issuer: response.issuer.map { Array($0.utf8) }))
    } catch {
      return .failure(error)
    }
  }

  /// The values of each name, decoded, with no limit and no judgement; those without a value left out.
  private static func plainFields(_ query: [UInt8]) -> [String: [[UInt8]]] {
    var fields: [String: [[UInt8]]] = [:]
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else { continue }
      fields[String(decoding: plainDecoded(parts[0]), as: UTF8.self), default: []].append(plainDecoded(parts[1]))
    }
    return fields
  }

  private static func plainDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return bytes
  }
}
