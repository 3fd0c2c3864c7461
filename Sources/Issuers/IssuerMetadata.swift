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

  init(_ documents: PublishedDocuments, _ issuer: IssuerIdentifier, _ policy: EndpointPolicy, clock: any Clock) {
    metadata = SharedFetch(clock: clock, staleLife: Self.staleLife) { () async throws(IssuerError) -> ServerMetadata in
      let body = try await Self.body(documents, issuer)
      do throws(ServerMetadataError) {
        return try ServerMetadata(reading: body, of: issuer, policy: policy)
      } catch {
        // What is no JSON may be a page put in between; what is JSON is the issuer's word.
        if case .malformed = error { throw .temporary(error.description) }
        throw .configuration(error.description)
      }
    }
  }

  func current() async throws(IssuerError) -> ServerMetadata { try await metadata.value(maximumAge: Self.life) }

  /// OpenID Connect Discovery's place first, then RFC 8414's.
  private static func body(
    _ documents: PublishedDocuments, _ issuer: IssuerIdentifier
  ) async throws(IssuerError) -> SecretBox {
    let openID = ServerMetadata.openIDConfigurationURL(issuer)
    if let body = try await documents.document(openID, called: "metadata") { return body }
    let url: String
    do throws(WebURLError) {
      url = try ServerMetadata.authorizationServerURL(issuer)
    } catch {
      throw .configuration(error.description)
    }
    guard let body = try await documents.document(url, called: "metadata") else {
      throw .configuration("no issuer publishes metadata at this address (status 404)")
    }
    return body
  }
}
