import OAuth
import Secrets
import Time
import Vault

/// An OpenID issuer's metadata, fetched and renewed as needed.
struct IssuerMetadata: Sendable {
  /// How long fetched metadata is used.
  static let life = Duration.seconds(3600)
  /// How old it may be when it cannot be fetched for the time being.
  static let staleLife = Duration.seconds(86400)

  private let metadata: SharedFetch<ServerMetadata>
  private let revocation: SharedFetch<WebURL?>

  init(_ documents: PublishedDocuments, _ issuer: IssuerIdentifier, _ policy: EndpointPolicy, clock: any Clock) {
    let places = MetadataPlaces(documents: documents, issuer: issuer, policy: policy)
    metadata = SharedFetch(clock: clock, staleLife: Self.staleLife) { () async throws(IssuerError) -> ServerMetadata in
      for url in [places.openID] + places.authorizationServer {
        if let found = try await places.metadata(url, orPage: false) { return found }
      }
      throw .configuration("no issuer publishes metadata at this address (status 404)")
    }
    revocation = SharedFetch(clock: clock, staleLife: Self.staleLife) { () async throws(IssuerError) -> WebURL? in
      for url in places.authorizationServer {
        if let found = try await places.metadata(url, orPage: true) { return found.revocationEndpoint }
      }
      return nil
    }
  }

  func current() async throws(IssuerError) -> ServerMetadata { try await metadata.value(maximumAge: Self.life) }

  /// Where tokens are revoked, or nil where they cannot be. Some issuers name it only where RFC 8414 has metadata.
  func revocationEndpoint() async throws(IssuerError) -> WebURL? {
    if let endpoint = try await current().revocationEndpoint { return endpoint }
    return try await revocation.value(maximumAge: Self.life)
  }
}
