import Exchange
import OAuth
import Secrets
import Time
import Vault

/// An issuer's metadata, fetched and renewed as needed. What is written out of it is not asked for.
///
/// OpenID Connect Discovery and RFC 8414 each have a place for it. One is read first, the other only for an endpoint that
/// the first does not name: some issuers name their revocation endpoint in one of them alone.
struct IssuerMetadata: Sendable {
  /// How long fetched metadata is used.
  static let life = Duration.seconds(3600)
  /// How old it may be when it cannot be fetched for the time being.
  static let staleLife = Duration.seconds(86400)

  /// Which document is read first.
  enum First: Sendable {
    case openID
    case authorizationServer
  }

  private let first: SharedFetch<ServerMetadata>
  private let second: SharedFetch<ServerMetadata?>
  private let written: [ServerEndpoint: WebURL]
  private let writtenOut: ServerMetadata?

  /// Throws ``Vault/IssuerError/configuration(_:)`` for an endpoint written out that is none.
  init(
    _ documents: PublishedDocuments, _ issuer: IssuerIdentifier, _ profile: IssuerProfile, first: First,
    clock: any Clock
  ) throws(IssuerError) {
    let policy = EndpointPolicy(plainLoopback: profile.egress.plainLoopback)
    let written = try Self.endpoints(profile.options, policy)
    self.written = written
    let isWhole = first == .authorizationServer && written[.authorization] != nil && written[.token] != nil
    writtenOut = isWhole ? ServerMetadata(writtenOut: written, of: issuer) : nil
    let places = MetadataPlaces(documents: documents, issuer: issuer, policy: policy)
    let urls = first == .openID ? [places.openID] + places.authorizationServer : places.authorizationServer
    self.first = SharedFetch(clock: clock, staleLife: Self.staleLife) {
      () async throws(IssuerError) -> ServerMetadata in
      for url in urls {
        if let found = try await places.metadata(url, orPage: false) { return found.overridden(by: written) }
      }
      throw .configuration("no issuer publishes metadata at this address (status 404)")
    }
    let others = first == .openID ? places.authorizationServer : [places.openID]
    second = SharedFetch(clock: clock, staleLife: Self.staleLife) {
      () async throws(IssuerError) -> ServerMetadata? in
      for url in others {
        if let found = try await places.metadata(url, orPage: true) { return found }
      }
      return nil
    }
  }

  /// What was read first, or is written out whole.
  func current() async throws(IssuerError) -> ServerMetadata {
    if let writtenOut { return writtenOut }
    return try await first.value(maximumAge: Self.life)
  }

  /// Where something is, by either document; nil where no document says.
  func endpoint(_ endpoint: ServerEndpoint) async throws(IssuerError) -> WebURL? {
    if let url = written[endpoint] { return url }
    if let url = try await current()[endpoint] { return url }
    return writtenOut == nil ? try await second.value(maximumAge: Self.life)?[endpoint] : nil
  }

  /// Where something is that nothing works without.
  func required(_ endpoint: ServerEndpoint) async throws(IssuerError) -> WebURL {
    guard let url = try await self.endpoint(endpoint) else {
      throw .configuration(ServerMetadataError.missing(endpoint.rawValue).description)
    }
    return url
  }

  private static func endpoints(
    _ options: IssuerOptions, _ policy: EndpointPolicy
  ) throws(IssuerError) -> [ServerEndpoint: WebURL] {
    var urls: [ServerEndpoint: WebURL] = [:]
    for (endpoint, text) in options.endpoints {
      guard let url = policy.endpoint(text) else {
        throw .configuration("\(endpoint.configurationKey) is not an https address")
      }
      urls[endpoint] = url
    }
    return urls
  }
}
