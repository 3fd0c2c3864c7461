/// Which redirect URIs may be configured (RFC 8252 §7.2 and §7.3). The text is kept as it is: registration compares
/// character by character.
package enum RedirectRule {
  /// Whether it is an https URL, or http on a loopback host.
  package static func allows(_ text: String) -> Bool {
    guard let url = NetworkURL(text) else { return false }
    return !url.isPlain || ["localhost", "127.0.0.1", "[::1]"].contains(url.host)
  }
}
