import OAuth
import Secrets
import Vault

extension TokenSet {
  /// Refuses a token set whose access token was left out of the answer or unfit for a header field.
  func requireAccessToken() throws(IssuerError) {
    guard accessToken.count > 0 else { throw .refused("the issuer granted no access token that could be used") }
  }
}

extension Expectation {
  /// Refuses a token that names somebody else than the account's person.
  func check(subject: String) throws(IssuerError) {
    guard self.subject == nil || self.subject == subject else {
      throw .refused("the token is somebody else's (sub)")
    }
  }
}

extension IssuerError {
  /// Runs checks of claims; one that fails means that the token is refused.
  static func refusing<T>(_ checks: () throws(TokenClaimsError) -> T) throws(IssuerError) -> T {
    do throws(TokenClaimsError) { return try checks() } catch { throw .refused(error.description) }
  }
}
