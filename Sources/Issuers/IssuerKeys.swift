import JOSE
import Secrets
import Time
import Vault

/// The keys that an issuer signs with, fetched and renewed as its tokens need them.
struct IssuerKeys: Sendable {
  /// How long fetched keys are used: a compromised key that vanished is trusted no longer than this.
  static let life = Duration.seconds(300)
  /// How often, at most, an unknown `kid` makes the keys be fetched again.
  static let refetchInterval = Duration.seconds(60)

  private let keys: SharedFetch<JSONWebKeySet>

  /// `url` says where the keys are; it may have to be fetched itself.
  init(
    _ documents: PublishedDocuments, clock: any Clock,
    url: @escaping @Sendable () async throws(IssuerError) -> String
  ) {
    keys = SharedFetch(clock: clock) { () async throws(IssuerError) -> JSONWebKeySet in
      guard let body = try await documents.document(try await url(), called: "keys") else {
        throw .configuration("the issuer publishes no keys (status 404)")
      }
      do throws(JSONWebKeySetError) { return try JSONWebKeySet(reading: body) } catch {
        throw .temporary("the issuer's keys could not be read")
      }
    }
  }

  /// The token with its signature checked. An unknown `kid` has the keys fetched again, at most once in
  /// ``refetchInterval``, then the token is refused. No address in a token is ever followed.
  func verified(_ token: SecretBox) async throws(IssuerError) -> VerifiedJWS {
    let unverified: UnverifiedJWS
    do throws(JWSError) { unverified = try UnverifiedJWS(token) } catch { throw IssuerError(error) }
    let known = try await keys.value(maximumAge: Self.life)
    do throws(JWSError) {
      return try unverified.verified(with: known)
    } catch {
      guard error == .unknownKey else { throw IssuerError(error) }
    }
    let fresh = try await keys.value(maximumAge: Self.refetchInterval)
    do throws(JWSError) { return try unverified.verified(with: fresh) } catch { throw IssuerError(error) }
  }
}

extension IssuerError {
  /// A token that failed is refused; that there is no memory now says nothing of the token.
  fileprivate init(_ error: JWSError) {
    self = error == .memory ? .temporary(error.description) : .refused(error.description)
  }
}
