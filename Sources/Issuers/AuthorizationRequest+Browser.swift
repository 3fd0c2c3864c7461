import OAuth
import Vault

extension AuthorizationRequest {
  /// The URL to open in the external user-agent, or ``Vault/IssuerError/configuration(_:)`` when no browser should get it.
  func browserURL() throws(IssuerError) -> String {
    guard let url else { throw .configuration("the authorization request is longer than a browser takes") }
    return url
  }
}

extension WebURL {
  /// The URL, or ``Vault/IssuerError/configuration(_:)``.
  init(configured text: String) throws(IssuerError) {
    do throws(WebURLError) { try self.init(text) } catch { throw .configuration(error.description) }
  }
}
