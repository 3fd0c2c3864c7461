import Exchange
import OAuth
import Secrets
import Testing
import Time

/// Answers to a registration request (RFC 7591 §3.2).
struct ClientRegistrationAnswerTests {
  private func answer(
    _ status: Int, _ body: String, type: String = "application/json", retryAfter: Int64? = nil,
    isTruncated: Bool = false
  ) throws -> ClientRegistrationAnswer {
    ClientRegistrationAnswer(
      HTTPAnswer(
        status: status, date: nil, retryAfter: retryAfter, contentType: type, body: try box(body),
        isTruncated: isTruncated, receivedAt: BootInstant(nanoseconds: 0), receivedBoot: BootID(high: 0, low: 0),
        receivedWall: WallInstant(seconds: 0)))
  }

  private func registered(_ body: String) throws -> RegisteredClient? {
    guard case .registered(let client) = try answer(201, body) else { return nil }
    return client
  }

  /// Whether the answer is one that nobody can use, said without a word of it.
  private func isUseless(_ answer: ClientRegistrationAnswer) -> Bool {
    guard case .misconfigured(let why) = answer else { return false }
    return why.hasPrefix("the issuer may have registered a client, but its answer cannot be used: ")
      && !why.contains("evil")
  }

  @Test func `a whole answer is read, and its secrets print as nothing`() throws {
    let client = try #require(
      try registered(
        """
        {"client_id":"s6BhdRkqt3","client_secret":"ZJYCqe3GGRvdrudKyZS0XhGv","client_secret_expires_at":1577858400,
        "registration_access_token":"this.is.a.token","registration_client_uri":"https://a.example/register/s6BhdRkqt3",
        "token_endpoint_auth_method":"client_secret_basic","redirect_uris":["http://127.0.0.1/callback"],
        "grant_types":["authorization_code"],"scope":"openid email","jwks":{"keys":[{"kty":"EC","x":[1,2,{}]}]}}
        """))
    #expect(client.id == "s6BhdRkqt3" && client.secretExpiry == 1_577_858_400)
    #expect(client.secret?.isEqual(to: try box("ZJYCqe3GGRvdrudKyZS0XhGv")) == true)
    #expect(client.management?.uri == "https://a.example/register/s6BhdRkqt3")
    #expect(client.management?.token.isEqual(to: try box("this.is.a.token")) == true)
    #expect(client.redirectURIs == ["http://127.0.0.1/callback"] && client.scopes == ["openid", "email"])
    #expect(!"\(client)".contains("ZJYC") && !"\(client)".contains("this.is"))
  }

  @Test func `the least answer is a client's name`() throws {
    let client = try #require(try registered(#"{"client_id":"a","redirect_uris":null,"client_secret":null}"#))
    #expect(client.id == "a" && client.secret == nil && client.management == nil && client.redirectURIs == nil)
  }

  @Test func `a secret of no characters is none, and expiry 0 is never`() throws {
    let client = try #require(
      try registered(#"{"client_id":"a","client_secret":"","client_secret_expires_at":0}"#))
    #expect(client.secret == nil && client.secretExpiry == nil)
  }

  @Test func `management needs its address and its token`() throws {
    #expect(try registered(#"{"client_id":"a","registration_access_token":"t"}"#)?.management == nil)
    #expect(try registered(#"{"client_id":"a","registration_client_uri":"https://a/"}"#)?.management == nil)
  }

  @Test(arguments: [200, 201]) func `glewlwyd's 200 means what 201 does`(status: Int) throws {
    guard case .registered = try answer(status, #"{"client_id":"a"}"#) else {
      Issue.record("not registered")
      return
    }
  }

  @Test(arguments: [100, 202, 203, 204, 206, 301, 302, 307, 308, 404, 405, 410])
  func `any other status that is no error registers nobody, whatever the body`(status: Int) throws {
    guard case .misconfigured(let why) = try answer(status, #"{"client_id":"evil"}"#) else {
      Issue.record("not misconfigured")
      return
    }
    #expect(why.contains("status \(status)") && !why.contains("evil"))
  }

  @Test(arguments: [408, 429, 500, 502, 503, 599]) func `what may pass is for later`(status: Int) throws {
    #expect(
      try answer(status, #"{"client_id":"evil"}"#, retryAfter: 9)
        == .later("the registration endpoint answered with status \(status)", retryAfter: 9))
  }

  @Test(arguments: [
    "", " ", "<html><body>evil</body></html>", "null", "[]", #"["evil"]"#, #""evil""#, "{}", #"{"client_id":"evil""#,
    #"{"client_id":"ev"#, #"{"client_id":"evil"}{"client_id":"evil"}"#, #"{"client_id":"evil","client_id":"b"}"#,
    #"{"client_id":"a","client_secret":"evil","client_secret":"evil2"}"#, #"{"CLIENT_ID":"evil"}"#,
    #"{"client_id":null}"#, #"{"client_id":7}"#, #"{"client_id":["evil"]}"#, #"{"client_id":{"evil":1}}"#,
    #"{"client_id":true}"#, #"{"client_id":""}"#, #"{"client_id":"ev il"}"#, #"{"client_id":"evil\u0007"}"#,
    #"{"client_id":"evil\nkind=didit"}"#, "{\"client_id\":\"evil\u{1}\"}", "{\"client_id\":\"evil\n\"}",
    #"{"client_id":"evil\u0000"}"#, #"{"client_id":"\u202Eevil"}"#, #"{"client_id":"évil"}"#,
    #"{"client_id":"\ud800"}"#,
    #"{"client_id":"a","client_secret":7}"#, #"{"client_id":"a","client_secret":["evil"]}"#,
    #"{"client_id":"a","client_secret":"evil\n"}"#, #"{"client_id":"a","client_secret":"évil"}"#,
    #"{"client_id":"a","client_secret_expires_at":"evil"}"#, #"{"client_id":"a","client_secret_expires_at":1.5}"#,
    #"{"client_id":"a","client_secret_expires_at":99999999999999999999}"#,
    #"{"client_id":"a","redirect_uris":"evil"}"#, #"{"client_id":"a","redirect_uris":[1]}"#,
    #"{"client_id":"a","redirect_uris":{"evil":1}}"#, #"{"client_id":"a","grant_types":"evil"}"#,
    #"{"client_id":"a","grant_types":[null]}"#, #"{"client_id":"a","response_types":false}"#,
    #"{"client_id":"a","token_endpoint_auth_method":["none"]}"#, #"{"client_id":"a","scope":["evil"]}"#,
    #"{"client_id":"a","client_name":1}"#, #"{"client_id":"a","application_type":[]}"#,
    #"{"client_id":"a","registration_client_uri":1}"#,
    #"{"client_id":"a","registration_access_token":{},"registration_client_uri":"https://a/"}"#,
    #"{"client_id":"a","registration_access_token":"evil token","registration_client_uri":"https://a/"}"#,
  ])
  func `an answer that is not just as the standard has it is no use, and nothing of it is repeated`(
    body: String
  ) throws {
    #expect(isUseless(try answer(201, body)))
  }

  @Test(arguments: [
    ("client_id", RegisteredClient.maximumID), ("client_secret", RegisteredClient.maximumSecret),
    ("registration_access_token", RegisteredClient.maximumToken), ("registration_client_uri", 2048),
  ])
  func `what is longer than its limit by one is no use`(name: String, limit: Int) throws {
    func body(_ count: Int) -> String {
      let members = ["client_id": "a", "registration_access_token": "t", "registration_client_uri": "u"]
        .merging([name: String(repeating: "e", count: count)]) { $1 }
      return "{" + members.map { #""\#($0)":"\#($1)""# }.joined(separator: ",") + "}"
    }
    #expect(try registered(body(limit)) != nil)
    #expect(isUseless(try answer(201, body(limit + 1))))
  }

  @Test(arguments: [40 << 10, 1 << 20]) func `a huge name is refused`(count: Int) throws {
    #expect(isUseless(try answer(201, #"{"client_id":"\#(String(repeating: "a", count: count))"}"#)))
  }

  @Test func `a long list, a deep value and very many members are refused`() throws {
    let list = (0...64).map { #""https://a.example/\#($0)""# }.joined(separator: ",")
    #expect(isUseless(try answer(201, #"{"client_id":"a","redirect_uris":[\#(list)]}"#)))
    let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
    #expect(isUseless(try answer(201, #"{"client_id":"a","x":\#(deep)}"#)))
    let many = (0...128).map { #""m\#($0)":0"# }.joined(separator: ",")
    #expect(isUseless(try answer(201, #"{"client_id":"a",\#(many)}"#)))
  }

  @Test func `what was cut off, or is of another type, is not looked into`() throws {
    #expect(isUseless(try answer(201, #"{"client_id":"a"}"#, isTruncated: true)))
    for type in ["", "text/html", "text/plain", "application/jwt"] {
      #expect(isUseless(try answer(201, #"{"client_id":"a"}"#, type: type)))
    }
  }

  @Test(arguments: ClientRegistrationAnswer.ErrorCode.allCases, [400, 401, 403])
  func `each error of the standard has a sentence of its own`(
    code: ClientRegistrationAnswer.ErrorCode, status: Int
  ) throws {
    let body = #"{"error":"\#(code.rawValue)","error_description":"evil"}"#
    guard case .refused(let said?, let why) = try answer(status, body) else {
      Issue.record("not refused")
      return
    }
    #expect(said == code && why.contains("(\(code.rawValue))") && !why.contains("evil"))
  }

  @Test func `no two errors say the same`() throws {
    let sentences = try ClientRegistrationAnswer.ErrorCode.allCases.map { code in
      "\(try answer(400, #"{"error":"\#(code.rawValue)"}"#))"
    }
    #expect(Set(sentences).count == sentences.count)
  }

  @Test(arguments: [
    "", "<html>evil</html>", #"{"error":"evil"}"#, #"{"error":7}"#, #"{"error":["invalid_redirect_uri"]}"#,
    #"{"error":"invalid_redirect_uri","error":"evil"}"#, #"{"error":"invalid_redirect_uri""#,
  ])
  func `any other refusal is told by its status`(body: String) throws {
    #expect(
      try answer(400, body) == .refused(nil, "the issuer refuses to register a client (status 400)"))
    #expect(
      try answer(401, body)
        == .refused(nil, "the issuer registers nobody without a good initial access token (status 401)"))
  }

  private static let asked = ClientMetadata(
    name: "Almoner", redirectURI: "http://127.0.0.1/callback", scopes: ["openid", "email"], showsSecret: false)

  @Test(arguments: [
    #"{"client_id":"a"}"#,
    #"{"client_id":"a","grant_types":["refresh_token","authorization_code"],"scope":"email openid","response_types":["code"]}"#,
    #"{"client_id":"a","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}"#,
  ])
  func `what was registered as it was asked needs no word`(body: String) throws {
    #expect(try registered(body)?.differences(from: Self.asked) == [])
  }

  @Test func `what was registered otherwise is said, one thing a sentence`() throws {
    let client = try #require(
      try registered(
        """
        {"client_id":"a","redirect_uris":["https://b.example/"],"grant_types":["authorization_code"],"response_types":[],
        "token_endpoint_auth_method":"client_secret_basic","application_type":"web","client_name":"B","scope":"openid"}
        """))
    #expect(
      client.differences(from: Self.asked) == [
        "redirect_uris: asked for http://127.0.0.1/callback, the issuer registered https://b.example/.",
        "grant_types: asked for authorization_code refresh_token, the issuer registered authorization_code.",
        "response_types: asked for code, the issuer registered nothing.",
        "token_endpoint_auth_method: asked for none, the issuer registered client_secret_basic.",
        "application_type: asked for native, the issuer registered web.",
        "client_name: asked for Almoner, the issuer registered B.",
        "scope: asked for openid email, the issuer registered openid.",
      ])
  }

  @Test func `a difference of any length is said in few words`() throws {
    let client = try #require(
      try registered(#"{"client_id":"a","client_name":"\#(String(repeating: "x", count: 9000))"}"#))
    #expect(client.differences(from: Self.asked).allSatisfy { $0.count < 300 })
  }

  @Test func `the request says what a native application is`() throws {
    var client = Self.asked
    client.grantTypes.append(ClientMetadata.deviceCode)
    #expect(
      text(try client.body())
        == #"{"application_type":"native","client_name":"Almoner","redirect_uris":["http://127.0.0.1/callback"],"#
        + #""grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:device_code"],"#
        + #""response_types":["code"],"token_endpoint_auth_method":"none","scope":"openid email"}"#)
  }
}
