import OAuth
import Vault

/// The keys of ``Vault/IssuerOptions``, the same in `almoner.conf` and in the index. A new option is a case here, a line
/// in each of the two functions below, and a line in the man page.
enum IssuerOptionKey: String, CaseIterable {
  case pushedAuthorization = "par"
  case resource
  case clientSecretFile = "client-secret-file"
  case clientAuthentication = "client-authentication"
  case subjectClaim = "subject-claim"
  case assumedLifetime = "assumed-lifetime"
  case narrows
  case dpop

  /// All keys, those of the endpoints included.
  static var all: [String] { allCases.map(\.rawValue) + ServerEndpoint.allCases.map(\.configurationKey) }
}

/// A key that writes out an endpoint.
private struct EndpointKey: RawRepresentable {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }

  init(_ endpoint: ServerEndpoint) { rawValue = endpoint.configurationKey }
}

extension IssuerOptions {
  /// Reads them from a group. Those that kinds found by their origin have no use for are refused there.
  init(from group: inout GroupReader, of kind: IssuerKindRule) {
    self.init()
    if kind.isOrigin {
      for key in IssuerOptionKey.all.map(EndpointKey.init(rawValue:)) where group.has(key) {
        group.refuse(key, .badValue("left out with kind=\(kind.name)"))
      }
      return
    }
    pushedAuthorization = group.value(IssuerOptionKey.pushedAuthorization, .choice) ?? .auto
    resource = group.value(IssuerOptionKey.resource, .resource)
    clientSecretFile = group.value(IssuerOptionKey.clientSecretFile, .absolutePath)
    clientAuthentication = group.value(IssuerOptionKey.clientAuthentication, .choice) ?? .auto
    subjectClaim = group.value(IssuerOptionKey.subjectClaim, .claimName)
    assumedLifetime = group.value(IssuerOptionKey.assumedLifetime, .duration)
    narrows = group.value(IssuerOptionKey.narrows, .flag) ?? false
    dpop = group.value(IssuerOptionKey.dpop, .flag) ?? false
    for endpoint in ServerEndpoint.allCases {
      endpoints[endpoint] = group.value(EndpointKey(endpoint), .endpoint)
    }
  }

  /// What ``init(from:of:)`` reads back: only what was given.
  var written: [(key: String, value: String)] {
    let options: [(IssuerOptionKey, String?)] = [
      (.pushedAuthorization, pushedAuthorization == .auto ? nil : pushedAuthorization.rawValue),
      (.resource, resource), (.clientSecretFile, clientSecretFile),
      (.clientAuthentication, clientAuthentication == .auto ? nil : clientAuthentication.rawValue),
      (.subjectClaim, subjectClaim),
      (.assumedLifetime, assumedLifetime.map(DurationText.write)), (.narrows, narrows ? "true" : nil),
      (.dpop, dpop ? "true" : nil),
    ]
    return options.compactMap { key, value in value.map { (key.rawValue, $0) } }
      + ServerEndpoint.allCases.compactMap { endpoint in
        endpoints[endpoint].map { (endpoint.configurationKey, $0) }
      }
  }
}

extension ValueRule where Value == String {
  static let endpoint = Self(
    expectation: "an https URL without user or fragment; plain http only for this machine",
    read: { EndpointPolicy(plainLoopback: true).endpoint($0)?.text })
  static let resource = Self(
    expectation: "an absolute URI without a fragment (RFC 8707 §2)", read: { ResourceIndicator.isValid($0) ? $0 : nil })
  static let claimName = Self(
    expectation: "1 to 64 printable ASCII characters without spaces",
    read: { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil })
}
