import Associations
import Configuration
import Exchange
import OAuth
import Time
import Vault
package import Wire

/// `CheckAssociation`: asks the owner of a callback whether it lists us. Advice only: nothing depends on it yet.
///
/// Only a host that one of our own clients comes back to is ever asked: no caller's word makes the daemon fetch from
/// anywhere else.
package struct CheckAssociationHandler: MethodHandler {
  package typealias Method = Wire.CheckAssociation

  private struct Client {
    let name: String
    let profile: IssuerProfile
    let redirectURI: String

    var claim: AssociatedClient {
      AssociatedClient(issuer: profile.identifier, clientID: profile.clientID, callback: redirectURI)
    }
  }

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { () throws(ErrorReply) in
      do throws(VaultError) { return try await answer(parameters) } catch { throw ErrorReply(error) }
    }
  }

  private func answer(_ parameters: Method.Parameters) async throws(VaultError) -> Method.Reply {
    let clients = try await clients(parameters.account)
    let host = try Self.host(parameters.domain, clients)
    let ours = clients.filter { AssociationFile.isCallback($0.redirectURI, on: host) }
    guard let first = ours.first else {
      throw .badRequest(field: "domain", message: "no account and no configured issuer comes back to this host")
    }
    let answer = try await services.associations.ask(host, Self.egress(first.profile))
    let (state, file, why) = Self.reading(answer)
    return Method.Reply(
      domain: host.text, state: state, checkedAgo: max(0, (services.clock.now - answer.askedAt).wholeSeconds),
      detail: answer.trouble ?? why,
      clients: ours.map { client in
        Wire.AssociatedClient(
          name: client.name, issuer: client.profile.identifier, clientId: client.profile.clientID,
          callback: client.redirectURI, listed: file?.lists(client.claim) ?? false)
      })
  }

  /// The account that was named, or everything that is signed in or configured.
  private func clients(_ account: String?) async throws(VaultError) -> [Client] {
    let accounts = account == nil ? await services.vault.accounts : [try await services.vault.account(account)]
    let known = accounts.compactMap { account in
      account.redirectURI.map { Client(name: account.name, profile: account.issuer, redirectURI: $0) }
    }
    guard account == nil else { return known }
    let configured = await services.configuredIssuers().compactMap { issuer in
      issuer.redirectURI.map { Client(name: issuer.profile.name, profile: issuer.profile, redirectURI: $0) }
    }
    return known + configured.filter { client in !known.contains { $0.claim == client.claim } }
  }

  private static func host(_ domain: String?, _ clients: [Client]) throws(VaultError) -> AssociationDomain {
    var text = domain
    if text == nil { text = try host(of: clients) }
    guard let text else {
      throw .badRequest(field: "domain", message: "name the host of a callback by HTTPS")
    }
    guard let host = AssociationDomain(text) else {
      throw .badRequest(
        field: "domain", message: "it must be a host name in lower case, without wildcard, port, user or Punycode")
    }
    return host
  }

  /// The host of the only callback there is, by HTTPS.
  private static func host(of clients: [Client]) throws(VaultError) -> String? {
    guard clients.count == 1 else { return nil }
    do throws(WebURLError) {
      let url = try WebURL(clients[0].redirectURI)
      return url.scheme == .https ? url.host : nil
    } catch {
      return nil
    }
  }

  /// As for the issuer, but never in plain text, and to no address of this machine or network; except for a sandbox that
  /// is on this machine itself.
  private static func egress(_ profile: IssuerProfile) -> EgressPolicy {
    EgressPolicy(
      caFile: profile.egress.caFile, proxy: profile.egress.proxy, publicOnly: !profile.egress.plainLoopback)
  }

  private static func reading(
    _ answer: AssociationCache.Answer
  ) -> (state: String, file: AssociationFile?, detail: String?) {
    switch answer.finding {
    case .file(let file): ("published", file, nil)
    case .absent: ("absent", nil, nil)
    case .unreachable(let why): ("unreachable", nil, why)
    }
  }
}
