import CCurl
import Exchange

/// The URL of a request, after the rules of egress: `https`, or `http` to this machine where the policy allows it.
struct RequestURL {
  enum Scheme {
    case https
    /// Plain text, and only to a loopback address.
    case plainLoopback
  }

  let scheme: Scheme
  /// Whether only public addresses may be connected to. Where a proxy connects, that is for the proxy to see to.
  let isPublicOnly: Bool

  /// Refuses what is too long, cannot be parsed, names a user or password, or would leave the machine in plain text.
  init(_ request: OutgoingRequest) throws(ExchangeFailure) {
    guard request.url.utf8.count <= OutgoingRequest.maximumURL, request.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { throw .notSent("the URL is too long or not ASCII") }
    isPublicOnly = request.egress.publicOnly && request.egress.proxy == nil
    guard let handle = unsafe curl_url() else { throw .notSent("out of memory") }
    defer { unsafe curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_DISALLOW_USER)
    guard unsafe curl_url_set(handle, CURLUPART_URL, request.url, flags) == CURLUE_OK else {
      throw .notSent("the URL cannot be used")
    }
    switch unsafe Self.part(CURLUPART_SCHEME, handle) {
    case "https": scheme = .https
    case "http":
      let host = unsafe Self.part(CURLUPART_HOST, handle) ?? ""
      guard request.egress.plainLoopback, Self.isLoopback(host) else {
        throw .notSent("plain http is allowed to this machine only, and only for sandbox accounts")
      }
      scheme = .plainLoopback
    default: throw .notSent("only https is spoken")
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    return IPAddress(bare)?.isLoopback ?? false
  }

  private static func part(_ part: CURLUPart, _ handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(validatingCString: text)
  }
}
