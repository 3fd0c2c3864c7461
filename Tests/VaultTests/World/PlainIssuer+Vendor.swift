import Exchange
import Secrets
import Vault

/// The plain issuer's step-up, also in words: `page ID` begins one, `no` needs none; a status is its own word.
extension PlainIssuer: StepUpResource {
  func stepUpRequest(_ wish: StepUpWish, accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/step-up/", bearer: accessToken, egress: profile.egress)
  }

  func readStepUp(_ answer: HTTPAnswer) -> StepUpAnswer {
    switch answer.status {
    case 401: return .unauthorized
    case 403: return .refused("no")
    case 503: return .later("busy", retryAfter: 7)
    default: break
    }
    let words = (text(answer.body) ?? "").split(separator: " ")
    return words.first == "page" ? .required(id: "\(words[1])", url: "https://verify.test/\(words[1])") : .notRequired
  }

  func stepUpStatusRequest(_ id: String, accessToken: SecretBox) -> OutgoingRequest {
    OutgoingRequest(.get, "https://issuer.test/step-up/\(id)/", bearer: accessToken, egress: profile.egress)
  }

  func readStepUpStatus(_ answer: HTTPAnswer) -> StepUpStatus {
    switch answer.status {
    case 401: return .unauthorized
    case 404: return .gone
    case 503: return .later("busy", retryAfter: 60)
    default: break
    }
    switch text(answer.body) {
    case "approved": return .approved
    case "declined": return .failed(.declined)
    case "expired": return .failed(.expired)
    case "cancelled": return .failed(.cancelled)
    default: return .pending
    }
  }
}

/// And its device credentials: `credential SECONDS`, named after the access token they were asked by.
extension PlainIssuer: MonitoringResource {
  func monitoringTokenRequest(accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest {
    OutgoingRequest(.post, "https://issuer.test/monitoring-token/", bearer: accessToken, egress: profile.egress)
  }

  func readMonitoringToken(_ answer: HTTPAnswer) -> MonitoringAnswer {
    switch answer.status {
    case 401: return .unauthorized
    case 503: return .notEnabled
    default: break
    }
    let words = (text(answer.body) ?? "").split(separator: " ")
    guard words.count == 2, let seconds = Int(words[1]) else { return .misconfigured("no credential") }
    return .granted(secret("\(words[0])"), lifetime: .seconds(seconds))
  }
}
