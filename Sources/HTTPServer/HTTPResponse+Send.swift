import CMicroHTTPD

/// Queues a response on a connection.
func send(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
  guard let raw = unsafe make(response) else { return .NO }
  defer { unsafe MHD_destroy_response(raw) }
  for header in response.headers {
    guard unsafe MHD_add_response_header(raw, header.name, header.value) == .YES else { return .NO }
  }
  return unsafe MHD_queue_response(connection, UInt32(clamping: response.status), raw)
}

private func make(_ response: HTTPResponse) -> OpaquePointer? {
  if response.pace == .plain {
    var body = response.body
    return unsafe body.withUnsafeMutableBytes {
      unsafe MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
    }
  }
  let body = unsafe Unmanaged.passRetained(PacedBody(response.body, response.pace)).toOpaque()
  let block = 4 << 10
  return unsafe MHD_create_response_from_callback(
    UInt64(response.body.count), block, readPacedBody, body, releasePacedBody)
}

/// A body that leaves slowly or not whole.
private final class PacedBody: Sendable {
  let bytes: [UInt8]
  let pace: HTTPResponse.Pace

  init(_ bytes: [UInt8], _ pace: HTTPResponse.Pace) {
    self.bytes = bytes
    self.pace = pace
  }

  /// Copies the next piece to `room` and returns its size; nil ends the connection.
  func read(at position: Int, into room: UnsafeMutableRawBufferPointer) -> Int? {
    let end: Int
    switch pace {
    case .plain: end = bytes.count
    case .slow(let count, let pause):
      pause.blockThread()
      end = min(bytes.count, position + max(1, count))
    case .cut(let limit):
      end = min(bytes.count, limit)
      if position >= end { return nil }
    }
    let piece = bytes[position..<min(end, position + room.count)]
    unsafe room.copyBytes(from: piece)
    return piece.count
  }
}

private func readPacedBody(
  _ body: UnsafeMutableRawPointer?, _ position: UInt64, _ room: UnsafeMutablePointer<CChar>?, _ count: Int
) -> Int {
  guard let body = unsafe body else { return endWithError }
  let paced = unsafe Unmanaged<PacedBody>.fromOpaque(body).takeUnretainedValue()
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: room, count: count)
  return unsafe paced.read(at: Int(position), into: buffer) ?? endWithError
}

private func releasePacedBody(_ body: UnsafeMutableRawPointer?) {
  guard let body = unsafe body else { return }
  unsafe Unmanaged<PacedBody>.fromOpaque(body).release()
}

/// MHD_CONTENT_READER_END_WITH_ERROR, a macro with a cast that Swift does not import.
private let endWithError = -2
