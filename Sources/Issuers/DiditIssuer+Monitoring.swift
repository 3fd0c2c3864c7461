package import Exchange
import JSON
package import Secrets
package import Vault

/// `monitoring-token/`: a credential of 15 minutes. Under which name it comes is not sure, so the usual ones are looked for.
extension DiditIssuer: MonitoringResource {
  /// How long a credential lives, and the most that is believed.
  static let monitoringLifetime: Int64 = 900

  private static let tokenNames = ["monitoring_token", "token", "credential", "access_token"]

  package func monitoringTokenRequest(accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest {
    try post("/monitoring-token/", accessToken) { _ in }
  }

  package func readMonitoringToken(_ answer: HTTPAnswer) -> MonitoringAnswer {
    switch answer.status {
    case 200..<300: return granted(answer)
    case 401: return .unauthorized
    case 404: return .misconfigured("the issuer has no device credentials: is Authentication enabled there?")
    case 503 where IssuerErrorCode.read(answer) == "monitoring_unavailable": return .notEnabled
    case 408, 429, 500...:
      return .later("the issuer answered with status \(answer.status)", retryAfter: answer.retryAfter)
    case let status:
      let code = IssuerErrorCode.read(answer).map { " (\($0))" } ?? ""
      return .refused("the issuer refused a device credential: status \(status)\(code)")
    }
  }

  private func granted(_ answer: HTTPAnswer) -> MonitoringAnswer {
    guard let object = VendorAnswer.object(answer, secretMembers: Set(Self.tokenNames)),
      let token = VendorAnswer.secret(object, Self.tokenNames), token.count > 0
    else { return .misconfigured("the issuer's answer holds no device credential") }
    var seconds = Self.monitoringLifetime
    if case .integer(let said)? = object["expires_in"] { seconds = max(0, min(said, Self.monitoringLifetime)) }
    return .granted(token, lifetime: .seconds(seconds))
  }
}
