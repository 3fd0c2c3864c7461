package import Exchange
import JSON
import OAuth
package import Secrets
package import Vault

/// `step-up/` and `step-up/{id}/`. The vendor has published what is asked and the word `approved`; under which names the
/// page and the id come is not sure, so those that are usual are looked for.
extension DiditIssuer: StepUpResource {
  /// The most characters of a step-up's id.
  static let maximumStepUpID = 128

  private static let idNames = ["id", "step_up_id", "step_up"]
  private static let urlNames = ["url", "verification_url"]

  package func stepUpRequest(_ wish: StepUpWish, accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest {
    // Only what was said: an unknown or empty field is refused there.
    try post("/step-up/", accessToken) { writer in
      writer.member("action", wish.action.rawValue)
      writer.member("amount", wish.amount)
      writer.member("currency", wish.currency)
      writer.member("return_to", wish.returnTo)
    }
  }

  package func readStepUp(_ answer: HTTPAnswer) -> StepUpAnswer {
    switch answer.status {
    case 200..<300: return begun(answer)
    case 401: return .unauthorized
    case 404: return .misconfigured("the issuer has no step-up: is it enabled there?")
    case 408, 429, 500...:
      return .later("the issuer answered with status \(answer.status)", retryAfter: answer.retryAfter)
    case let status:
      let code = IssuerErrorCode.read(answer).map { " (\($0))" } ?? ""
      return .refused("the issuer refused this step-up: status \(status)\(code)")
    }
  }

  private func begun(_ answer: HTTPAnswer) -> StepUpAnswer {
    guard let object = VendorAnswer.object(answer) else {
      return .misconfigured("the issuer's answer to the step-up cannot be read")
    }
    if case .bool(false)? = object["required"] { return .notRequired }
    guard let id = VendorAnswer.text(object, Self.idNames), Self.isID(id) else {
      return .misconfigured("the issuer's answer to the step-up names none")
    }
    guard let text = VendorAnswer.text(object, Self.urlNames), let url = page(text) else {
      return .misconfigured("the issuer's page for the step-up is no address that may be opened")
    }
    return .required(id: id, url: url)
  }

  /// An address that a browser may be sent to: https, or this machine when the account is a sandbox's.
  private func page(_ text: String) -> String? {
    do throws(WebURLError) {
      let url = try WebURL(text)
      switch url.scheme {
      case .https: return url.text
      case .http: return url.isLoopback && profile.environment == .sandbox ? url.text : nil
      }
    } catch {
      return nil
    }
  }

  package func stepUpStatusRequest(_ id: String, accessToken: SecretBox) -> OutgoingRequest {
    precondition(Self.isID(id), "an id that readStepUp let through")
    return OutgoingRequest(
      .get, "\(profile.identifier)/step-up/\(id)/", bearer: accessToken, egress: profile.egress)
  }

  package func readStepUpStatus(_ answer: HTTPAnswer) -> StepUpStatus {
    switch answer.status {
    case 200: break
    case 401: return .unauthorized
    case 404: return .gone
    case let status: return .later("the issuer answered with status \(status)", retryAfter: answer.retryAfter)
    }
    guard let object = VendorAnswer.object(answer), let status = VendorAnswer.text(object, ["status"]) else {
      return .later("the issuer's answer cannot be read", retryAfter: nil)
    }
    switch status {
    case "approved": return .approved
    case "declined", "denied", "rejected", "failed": return .failed(.declined)
    case "expired": return .failed(.expired)
    case "cancelled", "canceled", "abandoned": return .failed(.cancelled)
    // Whatever else it says, it is not an approval.
    case _: return .pending
    }
  }

  /// It becomes part of a path.
  private static func isID(_ text: String) -> Bool {
    (1...maximumStepUpID).contains(text.utf8.count)
      && text.utf8.allSatisfy { unit in
        switch unit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        case _: false
        }
      }
  }
}
