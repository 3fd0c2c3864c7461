/// Which addresses an issuer's metadata may send us to.
package struct EndpointPolicy: Equatable, Sendable {
  /// Whether plain `http` to this machine is allowed: for sandbox accounts whose issuer is there.
  package let plainLoopback: Bool

  package init(plainLoopback: Bool) { self.plainLoopback = plainLoopback }

  /// The endpoint's URL, or nil unless it is `https`, or `http` to this machine where that is allowed.
  package func endpoint(_ text: String) -> WebURL? {
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(text) } catch { return nil }
    return url.scheme == .https || (plainLoopback && url.isLoopback) ? url : nil
  }
}
