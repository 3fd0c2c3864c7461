/// One answer. `Date`, `Content-Length` and the reason phrase are added on the way out.
package struct HTTPResponse: Sendable {
  /// How the body leaves.
  package enum Pace: Equatable, Sendable {
    /// As fast as the peer takes it.
    case plain
    /// `bytes` at a time with a pause before each piece. Only for a server with a thread for each connection.
    case slow(bytes: Int, pause: Duration)
    /// Announced whole, but the connection closes after so many bytes.
    case cut(after: Int)
  }

  package var status: Int
  /// Header lines in order. Names and values are ours: they must hold no line ends.
  package var headers: [HTTPRequest.Header]
  package var body: [UInt8]
  package var pace: Pace

  package init(_ status: Int, headers: [HTTPRequest.Header] = [], body: [UInt8] = [], pace: Pace = .plain) {
    self.status = status
    self.headers = headers
    self.body = body
    self.pace = pace
  }

  /// An answer with a body of one media type.
  package init(_ status: Int, type: String, _ text: String, headers: [HTTPRequest.Header] = []) {
    self.init(status, headers: [.init("Content-Type", type)] + headers, body: Array(text.utf8))
  }
}

/// What becomes of a request.
package enum HTTPOutcome: Sendable {
  /// Answer it.
  case respond(HTTPResponse)
  /// Close the connection without a word.
  case close
  /// Keep the connection waiting until ``HTTPExchange/finish(_:)``. Only for a server that its owner runs.
  case wait
}
