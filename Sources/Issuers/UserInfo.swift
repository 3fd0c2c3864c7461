import Exchange
import JSON
import OAuth
import Secrets
import Vault

/// Asks an issuer whose access token it is: `userinfo_endpoint`, or any address that answers with a JSON object.
struct UserInfo: Sendable {
  /// The member that names the person where nothing else is configured (OpenID Connect Core §5.3.2).
  static let subjectClaim = "sub"

  private let documents: PublishedDocuments
  private let endpoint: WebURL
  private let profile: IssuerProfile
  private let prover: DPoPProver

  init(_ server: AuthorizationServer, _ endpoint: WebURL) {
    documents = server.documents
    profile = server.profile
    prover = server.prover
    self.endpoint = endpoint
  }

  /// `dpopKey` is the key that the token is bound to, if it is.
  func ask(
    _ accessToken: SecretBox, dpopKey: SecretBox?
  ) async throws(IssuerError) -> (subject: String, claims: [VerifiedIdentity.Claim]) {
    var answer = try await send(accessToken, dpopKey)
    // It wanted a nonce, which is known now (RFC 9449 §9).
    if dpopKey != nil, answer.status == 401, answer.dpopNonce != nil { answer = try await send(accessToken, dpopKey) }
    switch answer.status {
    case 200: break
    case 401, 403: throw .refused("the issuer does not say who signed in (status \(answer.status))")
    case 404: throw .configuration("nobody says who signed in at the userinfo-endpoint (status 404)")
    case let status: throw .temporary("who signed in could not be asked: status \(status)")
    }
    guard !answer.isTruncated, let object = Self.object(answer.body) else {
      throw .temporary("what the issuer says of who signed in could not be read")
    }
    let name = profile.options.subjectClaim ?? Self.subjectClaim
    guard let subject = Self.subject(object[name]) else {
      throw .configuration("what the issuer says of who signed in has no subject-claim that could be used")
    }
    var shown = ShownClaims()
    shown.add(object)
    return (subject, shown.claims)
  }

  private func send(_ accessToken: SecretBox, _ dpopKey: SecretBox?) async throws(IssuerError) -> HTTPAnswer {
    var request = OutgoingRequest(.get, endpoint.text, bearer: accessToken, egress: profile.egress)
    if let dpopKey { request = try prover.proven(request, by: dpopKey) }
    return try await documents.answer(request, called: "word on who signed in")
  }

  private static func object(_ body: SecretBox) -> JSONObject? {
    do throws(JSONError) {
      return try JSONReader.parseObject(body, limits: JSONLimits(members: 256))
    } catch {
      return nil
    }
  }

  /// A text of printable ASCII, as `sub` has to be, or a whole number, as some databases name people.
  private static func subject(_ value: JSONValue?) -> String? {
    switch value {
    case .integer(let number)?: String(number)
    case .string(let text)?: TokenClaims.isSubject(text) ? text : nil
    case nil, .null?, .bool?, .number?, .secret?, .array?, .object?: nil
    }
  }
}
