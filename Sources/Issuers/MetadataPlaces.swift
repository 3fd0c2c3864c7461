import OAuth
import Secrets
import Vault

/// Where an issuer may publish its metadata, and how it is read there.
struct MetadataPlaces: Sendable {
  let documents: PublishedDocuments
  let issuer: IssuerIdentifier
  let policy: EndpointPolicy

  /// OpenID Connect Discovery §4.
  var openID: String { ServerMetadata.openIDConfigurationURL(issuer) }

  /// RFC 8414 §3.1, then the place that some servers take it to mean: behind the issuer's path.
  var authorizationServer: [String] { ServerMetadata.authorizationServerURLs(issuer) }

  /// The metadata at `url`, or nil when there is none: status 404, or, with `orPage`, a page of the site's own, which is
  /// common where there is no metadata.
  func metadata(_ url: String, orPage: Bool) async throws(IssuerError) -> ServerMetadata? {
    guard let body = try await documents.document(url, called: "metadata") else { return nil }
    do throws(ServerMetadataError) {
      return try ServerMetadata(reading: body, of: issuer, policy: policy)
    } catch {
      switch error {
      // What is no JSON may be a page put in between; what is JSON is the issuer's word.
      case .malformed where orPage: return nil
      case .malformed: throw .temporary(error.description)
      case .otherIssuer, .missing, .insecure, .unsupported: throw .configuration(error.description)
      }
    }
  }
}
