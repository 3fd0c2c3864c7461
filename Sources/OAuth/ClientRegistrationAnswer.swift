package import Exchange
import JSON
import Secrets

/// What an issuer's answer to a registration request means (RFC 7591 §3.2). Pure.
package enum ClientRegistrationAnswer: Equatable, Sendable {
  /// The errors of RFC 7591 §3.2.2, and that of RFC 6750 §3.1 which is said of an initial access token.
  package enum ErrorCode: String, CaseIterable, Sendable {
    case invalidRedirectURI = "invalid_redirect_uri"
    case invalidClientMetadata = "invalid_client_metadata"
    case invalidSoftwareStatement = "invalid_software_statement"
    case unapprovedSoftwareStatement = "unapproved_software_statement"
    case invalidToken = "invalid_token"
  }

  case registered(RegisteredClient)
  /// The issuer refuses to register this client.
  case refused(ErrorCode?, String)
  /// There is nobody who registers clients, or none whose answer could be understood.
  case misconfigured(String)
  /// It may work again. `retryAfter` in seconds, as sent.
  case later(String, retryAfter: Int64?)

  package init(_ answer: HTTPAnswer) {
    switch answer.status {
    // RFC 7591 §3.2.1 wants 201; glewlwyd, for one, says 200 and means the same.
    case 200, 201: self = Self.success(answer)
    case 300..<400:
      self = .misconfigured("the registration endpoint redirects (status \(answer.status)), which is not followed")
    case 404, 405, 410:
      self = .misconfigured("nobody registers clients at the registration endpoint (status \(answer.status))")
    case 408, 429, 500...:
      self = .later("the registration endpoint answered with status \(answer.status)", retryAfter: answer.retryAfter)
    case 400..<500: self = Self.refusal(answer)
    case let status: self = .misconfigured("the registration endpoint answered with status \(status)")
    }
  }

  private static func success(_ answer: HTTPAnswer) -> Self {
    let start = "the issuer may have registered a client, but its answer cannot be used: "
    guard answer.contentType == "application/json" else {
      return .misconfigured(start + "it is not application/json")
    }
    guard !answer.isTruncated else { return .misconfigured(start + "it is too long") }
    do throws(ClientRegistrationError) {
      return .registered(try RegisteredClient(reading: answer.body))
    } catch {
      return .misconfigured(start + error.description)
    }
  }

  private static func refusal(_ answer: HTTPAnswer) -> Self {
    let code = answer.isTruncated ? nil : code(answer.body)
    return .refused(code, sentence(code, status: answer.status))
  }

  /// `error`, if it is one that is known; nothing else of the body is ever repeated.
  private static func code(_ body: SecretBox) -> ErrorCode? {
    do throws(JSONError) {
      let object = try JSONReader.parseObject(body, limits: JSONLimits(members: 32))
      guard case .string(let word)? = object["error"] else { return nil }
      return ErrorCode(rawValue: word)
    } catch {
      return nil
    }
  }

  private static func sentence(_ code: ErrorCode?, status: Int) -> String {
    switch code {
    case .invalidRedirectURI: "the issuer does not take this redirect URI (invalid_redirect_uri)"
    case .invalidClientMetadata:
      "the issuer does not register clients such as this one (invalid_client_metadata)"
    case .invalidSoftwareStatement:
      "the issuer wants a software statement, and Almoner has none (invalid_software_statement)"
    case .unapprovedSoftwareStatement:
      "the issuer registers approved software only, and has not approved Almoner (unapproved_software_statement)"
    case .invalidToken: "the issuer does not take this initial access token (invalid_token)"
    case nil where status == 401: "the issuer registers nobody without a good initial access token (status 401)"
    case nil: "the issuer refuses to register a client (status \(status))"
    }
  }
}
