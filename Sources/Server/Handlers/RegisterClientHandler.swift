import Configuration
import OAuth
import Secrets
import Time
import Vault
package import Wire

/// `RegisterClient`: registers a client at an issuer and answers with its configuration. The daemon keeps nothing of it, and
/// hands out what is secret only where the caller said that it will be kept.
package struct RegisterClientHandler: MethodHandler {
  package typealias Method = Wire.RegisterClient

  private let services: Services

  package init(_ services: Services) { self.services = services }

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { [services] () throws(ErrorReply) in try await Self.answer(services, parameters) }
  }

  private static func answer(
    _ services: Services, _ parameters: Method.Parameters
  ) async throws(ErrorReply) -> Method.Reply {
    let plan: RegistrationPlan
    do throws(VaultError) {
      if let token = parameters.initialAccessToken, !token.isBearer {
        throw .badRequest(field: "initialAccessToken", message: "it must be printable ASCII without spaces")
      }
      plan = try await services.planRegistration(RegistrationWish(parameters))
    } catch {
      throw ErrorReply(error)
    }
    do throws(IssuerError) {
      let registration = try await services.register(plan, parameters.initialAccessToken)
      let group = try RegisteredGroup(plan, registration)
      return Method.Reply(plan, registration, group, parameters, at: services.clock.wall)
    } catch {
      throw .almoner(error.reply)
    }
  }
}

extension RegistrationWish {
  fileprivate init(_ parameters: Wire.RegisterClient.Parameters) {
    self.init(
      issuer: parameters.issuer, kind: parameters.kind, redirectURI: parameters.redirectUri,
      clientName: parameters.clientName, scopes: parameters.scopes, clientSecretFile: parameters.clientSecretFile)
  }
}

extension Wire.RegisterClient.Reply {
  fileprivate init(
    _ plan: RegistrationPlan, _ registration: ClientRegistration, _ group: RegisteredGroup,
    _ parameters: Wire.RegisterClient.Parameters, at wall: WallInstant
  ) {
    let client = registration.client
    let isManaged = parameters.management == true
    var notes = group.notes
    if client.management != nil, !isManaged {
      notes.append("The issuer gave a token to change or remove the client with (RFC 7592); it is kept nowhere.")
    }
    self.init(
      issuer: plan.issuer.identifier, name: plan.group, clientId: client.id, redirectUri: group.redirectURI,
      scopes: group.scopes, configuration: group.text, notes: notes, clientSecret: group.secret,
      secretExpiresIn: group.secret == nil ? nil : client.secretExpiry.map { wall.seconds(until: $0) },
      registrationClientUri: isManaged ? client.management?.uri : nil,
      registrationAccessToken: isManaged ? client.management?.token : nil)
  }
}

extension WallInstant {
  /// How many seconds there are to an instant that a peer names; 0 when it is over, however far away.
  fileprivate func seconds(until instant: Int64) -> Int64 {
    let (left, isOverflow) = instant.subtractingReportingOverflow(seconds)
    guard instant > seconds else { return 0 }
    return isOverflow ? .max : left
  }
}

extension IssuerError {
  /// No account is concerned, and no tokens are at stake.
  fileprivate var reply: AlmonerError {
    switch self {
    case .temporary(let why): .temporary(account: nil, message: why, retryAfter: 30, help: "")
    case .configuration(let why): .misconfigured(account: nil, message: why, help: "")
    case .refused(let why): .denied(account: nil, message: why, help: "")
    }
  }
}

extension SecretBox {
  /// Whether a header field can carry it as a bearer token (RFC 6750 §2.1), and nothing beside it.
  fileprivate var isBearer: Bool {
    guard count > 0 else { return false }
    return unsafe withUnsafeBytes { unsafe $0.allSatisfy { (0x21...0x7e).contains($0) } }
  }
}
