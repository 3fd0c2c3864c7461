import HTTPServer
import JSON

/// `POST /token/`: the token endpoint, with JSON bodies.
enum TokenRoute: Route {
  static let path = "/token/"
  static let methods = ["POST"]
  static let fated: Fate.Target? = .token

  private static let fields: [String: Set<String>] = [
    "authorization_code": ["grant_type", "code", "code_verifier", "redirect_uri", "client_id"],
    "refresh_token": ["grant_type", "refresh_token"],
  ]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse {
    guard request.isJSON, let body = request.body else { return .error(400, "invalid_request") }
    do {
      let object = try JSONReader.parseObject(body, limits: JSONLimits(bytes: 16 << 10, depth: 2, members: 16))
      guard let grant = try object.string(ifPresent: "grant_type") else {
        return .error(400, "invalid_request", field: "grant_type")
      }
      guard let known = fields[grant] else { return .error(400, "unsupported_grant_type") }
      // The lowest name, so that the same mistake always draws the same answer.
      if let stranger = object.members.map(\.name).filter({ !known.contains($0) }).min() {
        return .error(400, "unknown_field", field: stranger)
      }
      return grant == "refresh_token" ? try refresh(object, issuer) : try redeem(object, issuer)
    } catch is JSONError {
      return .error(400, "invalid_request")
    } catch let mistake as JSONMemberError {
      return .error(400, "invalid_request", field: mistake.name)
    }
  }

  private static func redeem(_ object: JSONObject, _ issuer: Issuer) throws -> HTTPResponse {
    let code = try object.string("code")
    let verifier = try object.string("code_verifier")
    let redirect = try object.string("redirect_uri")
    let client = try object.string(ifPresent: "client_id")
    guard client == nil || client == issuer.with({ $0.clientID }) else { return .error(401, "invalid_client") }
    return answer(
      try issuer.with { try $0.redeem(code: code, verifier: verifier, redirect: redirect, now: .now) }, issuer)
  }

  private static func refresh(_ object: JSONObject, _ issuer: Issuer) throws -> HTTPResponse {
    let token = try object.string("refresh_token")
    return answer(try issuer.with { try $0.refresh(token, now: .now) }, issuer)
  }

  private static func answer(_ tokens: IssuerState.Tokens?, _ issuer: Issuer) -> HTTPResponse {
    guard let tokens else {
      issuer.with { $0.counters.count(.invalidGrants) }
      return .error(400, "invalid_grant")
    }
    return .json(200) { writer in
      writer.member("access_token", tokens.access)
      writer.member("id_token", tokens.id)
      writer.member("refresh_token", tokens.refresh)
      writer.member("token_type", "Bearer")
      writer.member("expires_in", tokens.lifetime)
      writer.member("session_id", tokens.session)
    }
  }
}
