import Exchange
import Secrets
import Synchronization
import Time
import Vault

/// How documents that an issuer publishes are fetched, and what every answer tells of the issuer: its clock, and the nonce
/// that it wants in proofs.
final class PublishedDocuments: Sendable {
  private let egress: EgressPolicy
  private let fetch: Fetch
  private let clockSkew = Mutex<Int64>(0)
  private let nonce = Mutex<String?>(nil)

  init(egress: EgressPolicy, fetch: @escaping Fetch) {
    self.egress = egress
    self.fetch = fetch
  }

  /// The body found at `url`, or nil when there is none (404).
  ///
  /// Throws ``Vault/IssuerError/temporary(_:)`` for whatever may pass.
  func document(_ url: String, called name: String) async throws(IssuerError) -> SecretBox? {
    let answer = try await answer(OutgoingRequest(.get, url, egress: egress), called: name)
    switch answer.status {
    case 200:
      guard !answer.isTruncated else { throw .configuration("the issuer's \(name) is too long") }
      return answer.body
    case 404: return nil
    case let status: throw .temporary("the issuer's \(name) could not be fetched: status \(status)")
    }
  }

  /// What the issuer answers to a request that changes no token.
  func answer(_ request: OutgoingRequest, called name: String) async throws(IssuerError) -> HTTPAnswer {
    do throws(CarrierError) {
      let answer = try await fetch(request)
      note(answer)
      return answer
    } catch {
      throw .temporary("the issuer's \(name) could not be fetched: \(error.text)")
    }
  }

  /// The `DPoP-Nonce` of the last answer that had one (RFC 9449 §8.2).
  var dpopNonce: String? { nonce.withLock(\.self) }

  /// Learns from an answer's `Date` how far the issuer's clock is from ours, and its nonce.
  func note(_ answer: HTTPAnswer) {
    if let told = answer.dpopNonce { nonce.withLock { $0 = told } }
    guard let date = answer.date else { return }
    clockSkew.withLock { $0 = date.seconds.subtractingReportingOverflow(answer.receivedWall.seconds).partialValue }
  }

  /// What the issuer's wall clock showed when ours showed `wall`, as well as it is known.
  func issuerTime(_ wall: WallInstant) -> WallInstant {
    WallInstant(seconds: clockSkew.withLock { wall.seconds.addingReportingOverflow($0).partialValue })
  }
}

extension CarrierError {
  fileprivate var text: String {
    switch self {
    case .notSent(let what), .unknown(let what): what
    }
  }
}
