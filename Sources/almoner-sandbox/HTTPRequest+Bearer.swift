import HTTPServer

extension HTTPRequest {
  /// The token of `Authorization: Bearer` (RFC 6750 §2.1).
  var bearer: String? {
    guard let value = onlyValue(of: "authorization"), value.lowercased().hasPrefix("bearer ") else { return nil }
    return String(value.dropFirst("Bearer ".count))
  }

  /// Whether the body is JSON by its own account.
  var isJSON: Bool {
    onlyValue(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " } == "application/json"
  }
}

extension HTTPResponse {
  /// RFC 6750 §3.
  static let unauthorized = HTTPResponse(
    401, headers: [.init("WWW-Authenticate", "Bearer error=\"invalid_token\""), .init("Cache-Control", "no-store")])
}
