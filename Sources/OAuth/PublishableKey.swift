import Sodium

/// Didit's publishable key: `pk_live_` or `pk_test_` and the issuer in base64url. Not a secret.
package struct PublishableKey: Equatable, Sendable {
  package enum Environment: String, Sendable {
    case live
    case sandbox
  }

  /// The most bytes of a key.
  package static let maximumCount = 512

  package let environment: Environment
  /// The sign-in origin, which is the issuer identifier: scheme, host and port, nothing behind.
  package let issuer: IssuerIdentifier
  /// Whether the host is one that the vendor gives out for this environment (or this machine, for the sandbox). Otherwise
  /// it may be a custom domain: it is to be shown to the person and confirmed before anything is sent there.
  package let isUsualHost: Bool

  /// Decodes a key. Refuses what can be right for nobody: another prefix or alphabet, an insecure origin, a sandbox host
  /// in a live key and the other way round.
  package init(_ text: String) throws(PublishableKeyError) {
    guard text.utf8.count <= Self.maximumCount else { throw .encoding }
    let (environment, code) = try Self.split(text)
    let origin: String
    do throws(Base64URLError) {
      guard let decoded = String(validating: try Base64URL.decode(code), as: UTF8.self) else {
        throw Base64URLError.malformed
      }
      origin = decoded
    } catch {
      throw .encoding
    }
    let url: WebURL
    do throws(IssuerIdentifierError) {
      issuer = try IssuerIdentifier(origin, plainLoopback: environment == .sandbox)
    } catch {
      throw .issuer(error)
    }
    do throws(WebURLError) { url = try WebURL(origin) } catch { throw .issuer(.url(error)) }
    guard url.path.isEmpty else { throw .notAnOrigin }
    let host = HostKind(url)
    guard host.mayServe(environment) else { throw .wrongEnvironment }
    self.environment = environment
    isUsualHost = host.isUsual(for: environment)
  }

  private static func split(_ text: String) throws(PublishableKeyError) -> (Environment, String) {
    for (prefix, environment) in [("pk_live_", Environment.live), ("pk_test_", .sandbox)] where text.hasPrefix(prefix) {
      return (environment, String(text.dropFirst(prefix.count)))
    }
    throw .prefix
  }
}

/// Whose host an origin names.
private enum HostKind {
  case vendorLive
  case vendorSandbox
  case loopback
  case other

  init(_ url: WebURL) {
    let labels = url.host.split(separator: ".", omittingEmptySubsequences: false)
    if url.isLoopback {
      self = .loopback
    } else if labels.count == 4, labels.suffix(3) == ["auth", "didit", "me"], url.port == nil, labels[0] != "sandbox" {
      self = .vendorLive
    } else if labels.count == 5, labels.suffix(4) == ["sandbox", "auth", "didit", "me"], url.port == nil {
      self = .vendorSandbox
    } else {
      self = .other
    }
  }

  func mayServe(_ environment: PublishableKey.Environment) -> Bool {
    switch (self, environment) {
    case (.vendorLive, .live), (.vendorSandbox, .sandbox), (.loopback, .sandbox), (.other, _): true
    case (.vendorLive, .sandbox), (.vendorSandbox, .live), (.loopback, .live): false
    }
  }

  func isUsual(for environment: PublishableKey.Environment) -> Bool {
    switch self {
    case .vendorLive, .vendorSandbox, .loopback: mayServe(environment)
    case .other: false
    }
  }
}

/// Why a text is no publishable key.
package enum PublishableKeyError: Error, Equatable, Sendable {
  case prefix
  case encoding
  case issuer(IssuerIdentifierError)
  /// A path behind the host.
  case notAnOrigin
  /// A live key that names a sandbox host or this machine, or a sandbox key that names a live host.
  case wrongEnvironment
}

extension PublishableKeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .prefix: "a publishable key starts with pk_live_ or pk_test_"
    case .encoding: "the publishable key is not base64url of an address"
    case .issuer(let error): "the publishable key's address is refused: \(error)"
    case .notAnOrigin: "the publishable key's address has a path"
    case .wrongEnvironment: "the publishable key's address belongs to the other environment"
    }
  }
}
