import JOSE
import JSON
import Secrets

/// Writes the two JSON Web Tokens of an answer.
struct TokenSigner {
  let issuer: String
  let clientID: String
  let key: SigningKey

  /// RFC 9068: `typ: at+jwt`.
  func accessToken(_ session: Session, issued: Int64, lifetime: Int64) throws -> String {
    var claims = common(session, issued: issued, lifetime: lifetime)
    claims.append("vendor_data", .string(session.person.vendorData))
    claims.append("org", .string(session.person.organization))
    claims.append("verified", .bool(session.person.isVerified))
    claims.append("act", .null)
    claims.append("client_id", .string(clientID))
    return try sign("at+jwt", claims)
  }

  /// OpenID Connect Core §2: `typ: JWT`.
  func idToken(_ session: Session, issued: Int64, lifetime: Int64) throws -> String {
    var claims = common(session, issued: issued, lifetime: lifetime)
    claims.append("name", .string(session.person.name))
    claims.append("email", .string(session.person.email))
    claims.append("email_verified", .bool(true))
    claims.append("phone_number", .string(session.person.phone))
    return try sign("JWT", claims)
  }

  private func common(_ session: Session, issued: Int64, lifetime: Int64) -> JSONObject {
    var claims = JSONObject()
    claims.append("iss", .string(issuer))
    claims.append("aud", .string(clientID))
    claims.append("sub", .string(session.person.subject))
    claims.append("sid", .string(session.id))
    claims.append("jti", .string(Words.uuid()))
    claims.append("iat", .integer(issued))
    claims.append("exp", .integer(issued + lifetime))
    claims.append("amr", .array(session.methods.map(JSONValue.string)))
    return claims
  }

  private func sign(_ type: String, _ claims: JSONObject) throws -> String {
    var header = JSONObject()
    header.append("typ", .string(type))
    let token = try key.sign(header: header, claims: claims)
    return unsafe token.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
