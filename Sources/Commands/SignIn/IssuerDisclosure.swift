/// Where a sign-in would go, as far as the command line says it, and whether the person has to agree first.
///
/// The daemon checks what it is given by itself; this is what a person sees before anything is fetched.
package enum IssuerDisclosure: Equatable, Sendable {
  /// A configured issuer, this machine, or a host that belongs to Didit.
  case expected
  /// An issuer that nobody here has agreed to yet: its address.
  case unconfirmed(String)

  /// What follows the application's own label.
  private static let live = "auth.didit.me"
  private static let sandbox = "sandbox.auth.didit.me"

  /// Decides from `--issuer` and `--publishable-key`.
  package init(issuer: String?, publishableKey: String?) {
    if let publishableKey {
      self = Self.ofKey(publishableKey)
    } else if let issuer, issuer.contains("://") {
      let isDidit = [Self.live, Self.sandbox].contains { Self.isHosted(issuer, under: $0) }
      self = isDidit || Self.isLoopback(issuer) ? .expected : .unconfirmed(issuer)
    } else {
      self = .expected
    }
  }

  /// A publishable key is `pk_live_` or `pk_test_` and the issuer in base64url. What is none is for the daemon to refuse.
  private static func ofKey(_ key: String) -> Self {
    let isLive = key.hasPrefix("pk_live_")
    guard isLive || key.hasPrefix("pk_test_"), let issuer = Base64URL.text(key.dropFirst(8)) else { return .expected }
    let isExpected =
      isLive ? isHosted(issuer, under: live) : isHosted(issuer, under: sandbox) || isLoopback(issuer)
    return isExpected ? .expected : .unconfirmed(issuer)
  }

  private static func isHosted(_ url: String, under suffix: String) -> Bool {
    guard let (scheme, host) = parts(url), let dot = host.firstIndex(of: ".") else { return false }
    let label = host[..<dot]
    return scheme == "https" && !label.isEmpty && label != "sandbox" && host[host.index(after: dot)...] == suffix
  }

  private static func isLoopback(_ url: String) -> Bool {
    guard let (_, host) = parts(url) else { return false }
    let isBracketed = host.hasPrefix("[::1]")
    return ["localhost", "127.0.0.1"].contains { host == $0 || host.hasPrefix($0 + ":") } || isBracketed
  }

  /// Scheme, and host with its port; nil for what has a user, or anything else that could make a host look like another.
  private static func parts(_ url: String) -> (scheme: String, host: String)? {
    guard let mark = url.firstRange(of: "://") else { return nil }
    let authority = url[mark.upperBound...].prefix { !"/?#\\".contains($0) }
    guard !authority.isEmpty, authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !authority.contains("@")
    else { return nil }
    return (String(url[..<mark.lowerBound]), String(authority))
  }
}
