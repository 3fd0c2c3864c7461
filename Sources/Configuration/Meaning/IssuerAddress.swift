import OAuth
import Vault

/// Where an issuer is, and which environment that makes it.
struct IssuerAddress: Equatable, Sendable {
  /// The issuer identifier (RFC 8414 §2), exactly as given; Didit's origin without a trailing slash.
  let identifier: String
  let host: String
  let isLoopback: Bool
  let environment: IssuerProfile.Environment
  /// Plain http, which only a sandbox on this machine may use.
  let isPlain: Bool
  /// False for a publishable key that names a custom domain: to be shown and confirmed before anything is sent there.
  let isUsual: Bool

  /// Nil unless it is https, or http on this machine.
  init?(issuer text: String) {
    do {
      try self.init(IssuerIdentifier(text, plainLoopback: true), environment: nil, isUsual: true)
    } catch {
      return nil
    }
  }

  /// Like ``init(issuer:)``, without a path.
  init?(origin text: String) {
    let origin = text.hasSuffix("/") ? String(text.dropLast()) : text
    self.init(issuer: origin)
    do throws(WebURLError) {
      guard try WebURL(origin).path.isEmpty else { return nil }
    } catch {
      return nil
    }
  }

  /// What Didit's publishable key says. Nil when it is none.
  init?(publishableKey text: String) {
    do {
      let key = try PublishableKey(text)
      let environment: IssuerProfile.Environment = key.environment == .live ? .live : .sandbox
      try self.init(key.issuer, environment: environment, isUsual: key.isUsualHost)
    } catch {
      return nil
    }
  }

  /// Loopback and Didit's sandbox hosts are sandboxes; everything else is live unless a key says more.
  private init(
    _ issuer: IssuerIdentifier, environment: IssuerProfile.Environment?, isUsual: Bool
  ) throws(WebURLError) {
    let url = try WebURL(issuer.text)
    identifier = issuer.text
    host = url.host
    isLoopback = url.isLoopback
    isPlain = url.scheme == .http
    self.isUsual = isUsual
    let isSandbox = isLoopback || host.hasSuffix(".sandbox.auth.didit.me")
    self.environment = environment ?? (isSandbox ? .sandbox : .live)
  }
}
