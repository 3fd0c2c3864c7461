import HTTPServer
import JSON
import Secrets

extension HTTPResponse {
  /// A JSON object as an answer that no cache keeps (RFC 6749 §5.1).
  static func json(
    _ status: Int, headers: [HTTPRequest.Header] = [.init("Cache-Control", "no-store")],
    _ body: (inout JSONWriter) -> Void
  ) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object(body)
    let buffer = writer.finish()
    let bytes = unsafe buffer.withUnsafeBytes { unsafe Array($0) }
    return HTTPResponse(status, headers: [.init("Content-Type", "application/json")] + headers, body: bytes)
  }

  /// An error of the token endpoint (RFC 6749 §5.2).
  static func error(_ status: Int, _ code: String, field: String? = nil) -> HTTPResponse {
    json(status) { writer in
      writer.member("error", code)
      writer.member("field", field)
    }
  }

  /// The whole site, as it looks to whoever asks for what is not there.
  static let notFound = HTTPResponse(404, type: "text/plain; charset=utf-8", "not found\n")
}
