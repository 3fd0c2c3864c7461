import JOSE
import Secrets
import Synchronization
import Time
import Vault

/// The keys that an issuer signs with, fetched and renewed as its tokens need them.
final class IssuerKeys: Sendable {
  /// How long fetched keys are used: a compromised key that vanished is trusted no longer than this.
  static let life = Duration.seconds(300)
  /// How often, at most, an unknown `kid` makes the keys be fetched again.
  static let refetchInterval = Duration.seconds(60)

  private struct Fetched: Sendable {
    let keys: JSONWebKeySet
    let askedAt: BootInstant
  }

  private let clock: any Clock
  private let keys: SharedFetch<Fetched>
  private let refetchedAt = Mutex<BootInstant?>(nil)

  /// `url` says where the keys are; it may have to be fetched itself.
  init(
    _ documents: PublishedDocuments, clock: any Clock, url: @escaping @Sendable () async throws(IssuerError) -> String
  ) {
    self.clock = clock
    keys = SharedFetch(clock: clock) { () async throws(IssuerError) -> Fetched in
      let address = try await url()
      let askedAt = clock.now
      guard let body = try await documents.document(address, called: "keys") else {
        throw .configuration("the issuer publishes no keys (status 404)")
      }
      do throws(JSONWebKeySetError) {
        return Fetched(keys: try JSONWebKeySet(reading: body), askedAt: askedAt)
      } catch {
        throw .temporary("the issuer's keys could not be read")
      }
    }
  }

  /// A token of `set` with its signature checked.
  ///
  /// A `kid` that keys older than the token do not have makes them be fetched again, at most once in
  /// ``refetchInterval``; in between the error is temporary, since the issuer may just have changed keys. A `kid` that
  /// keys younger than the token do not have is refused. No address in a token is ever followed.
  func verified(_ token: SecretBox, of set: TokenSet) async throws(IssuerError) -> VerifiedJWS {
    let unverified: UnverifiedJWS
    do throws(JWSError) { unverified = try UnverifiedJWS(token) } catch { throw IssuerError(error) }
    let known = try await keys.value(maximumAge: Self.life)
    do throws(JWSError) {
      return try unverified.verified(with: known.keys)
    } catch {
      guard error == .unknownKey, isOlder(known, than: set) else { throw IssuerError(error) }
    }
    guard mayRefetch() else { throw .temporary("the issuer's keys may have changed; they are asked for again soon") }
    let fresh = try await keys.value(maximumAge: .zero)
    do throws(JWSError) { return try unverified.verified(with: fresh.keys) } catch { throw IssuerError(error) }
  }

  private func isOlder(_ fetched: Fetched, than set: TokenSet) -> Bool {
    set.receivedBoot == clock.bootID && fetched.askedAt < set.receivedAt
  }

  /// Takes the one fetch that an unknown `kid` may cause in an interval, if it is left.
  private func mayRefetch() -> Bool {
    let now = clock.now
    return refetchedAt.withLock { last in
      if let last, now - last < Self.refetchInterval { return false }
      last = now
      return true
    }
  }
}

extension IssuerError {
  /// A token that failed is refused; that there is no memory now says nothing of the token.
  fileprivate init(_ error: JWSError) {
    self = error == .memory ? .temporary(error.description) : .refused(error.description)
  }
}
