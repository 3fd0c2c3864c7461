import Exchange
import OAuth
package import Secrets
import Synchronization
import Time
package import Vault

/// Registers clients at issuers that let anybody, or whoever has an initial access token, do so (RFC 7591).
///
/// A registration is asked for once: when the answer is lost, nobody knows whether there is a client now, and another
/// request would make another one.
package final class ClientRegistrar: Sendable {
  /// The most registrations in a minute, whoever asks.
  package static let perMinute = 6

  private let services: IssuerServices
  private let starts = Mutex<[BootInstant]>([])

  package init(_ services: IssuerServices) { self.services = services }

  /// Finds the issuer's registration endpoint and registers the client. `token` is the initial access token, if the person
  /// was given one.
  ///
  /// Throws ``Vault/IssuerError``: `.refused` when the issuer does not register this client.
  package func register(
    _ plan: RegistrationPlan, token: SecretBox?
  ) async throws(IssuerError) -> ClientRegistration {
    try begin()
    let documents = PublishedDocuments(egress: plan.issuer.egress, fetch: services.fetch)
    let metadata = try IssuerMetadata(
      documents, try IssuerIdentifier(of: plan.issuer), plan.issuer,
      first: plan.issuer.kind == "oauth" ? .authorizationServer : .openID, clock: services.clock)
    guard let endpoint = try await metadata.endpoint(.registration) else {
      throw .configuration("clients are registered by hand at this issuer: its metadata has no registration_endpoint")
    }
    let asked = Self.fitted(plan.client, to: try await metadata.current())
    let place = Place(endpoint: endpoint, egress: plan.issuer.egress, token: token)
    var answer = try await post(asked, to: place)
    // Some issuers know the device grant by another name here than in their metadata, or not for such clients.
    if case .refused(.invalidClientMetadata?, _) = answer, asked.grantTypes.contains(ClientMetadata.deviceCode) {
      var less = asked
      less.grantTypes.removeAll { $0 == ClientMetadata.deviceCode }
      answer = try await post(less, to: place)
    }
    switch answer {
    case .registered(let client): return ClientRegistration(client: client, asked: asked)
    case .refused(_, let why): throw .refused(why)
    case .misconfigured(let why): throw .configuration(why)
    case .later(let why, _): throw .temporary(why)
    }
  }

  private struct Place {
    let endpoint: WebURL
    let egress: EgressPolicy
    let token: SecretBox?
  }

  private func post(_ client: ClientMetadata, to place: Place) async throws(IssuerError) -> ClientRegistrationAnswer {
    let request: OutgoingRequest
    do throws(SecretMemoryExhausted) {
      request = OutgoingRequest(
        .post, place.endpoint.text, bearer: place.token, contentType: .json, body: try client.body(),
        egress: place.egress)
    } catch {
      throw .temporary("no memory is left for secrets")
    }
    do throws(CarrierError) {
      return ClientRegistrationAnswer(try await services.fetch(request))
    } catch {
      switch error {
      case .notSent(let why): throw .temporary("no client was registered: \(why)")
      case .unknown(let why):
        throw .temporary("the issuer's answer is lost, and with it whether a client was registered: \(why)")
      }
    }
  }

  /// What is asked of this issuer: the device grant and the way of showing a secret are as its metadata has them.
  private static func fitted(_ client: ClientMetadata, to metadata: ServerMetadata) -> ClientMetadata {
    var fitted = client
    if metadata.grantsDevices { fitted.grantTypes.append(ClientMetadata.deviceCode) }
    if client.authentication != .nothing, metadata.wantsSecretInBody { fitted.authentication = .post }
    return fitted
  }

  private func begin() throws(IssuerError) {
    let now = services.clock.now
    let mayStart = starts.withLock { starts in
      starts.removeAll { now - $0 >= .seconds(60) }
      guard starts.count < Self.perMinute else { return false }
      starts.append(now)
      return true
    }
    guard mayStart else { throw .temporary("too many clients were registered just now") }
  }
}
