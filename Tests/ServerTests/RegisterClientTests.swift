import OAuth
import Secrets
import Server
import Testing

/// `RegisterClient` as a client of the socket sees it.
@Suite struct RegisterClientTests {
  private static let whole = """
    {"client_id":"new","client_secret":"s3cret","token_endpoint_auth_method":"client_secret_basic",
    "registration_access_token":"m4nage","registration_client_uri":"https://issuer.test/register/new"}
    """

  private func answer(_ body: String, _ parameters: String) async throws -> String {
    let bytes = Array(body.utf8)
    let client = try RegisteredClient(reading: SecretBox(unsafe try SecretBytes(copying: bytes.span.bytes)))
    let served = try ServedVault(registered: client)
    return try #require(try await served.connect().call("RegisterClient", parameters))
  }

  @Test func `the answer has the configuration, and no secret that nobody will keep`() async throws {
    let answer = try await answer(
      Self.whole.replacing("client_secret_basic", with: "none"), #"{"issuer":"https://issuer.test"}"#)
    #expect(answer.contains(#""clientId":"new""#) && answer.contains(#""configuration":"[issuer test]\n"#))
    #expect(!answer.contains("s3cret") && !answer.contains("m4nage"))
    #expect(answer.contains("RFC 7592") && answer.contains("kept nowhere"))
  }

  @Test func `what the caller will keep is handed out`() async throws {
    let answer = try await answer(
      Self.whole, #"{"issuer":"https://issuer.test","clientSecretFile":"/s","management":true}"#)
    #expect(answer.contains(#""clientSecret":"s3cret","registrationClientUri":"https://issuer.test/register/new""#))
    #expect(answer.contains(#""registrationAccessToken":"m4nage""#) && !answer.contains("kept nowhere"))
  }

  @Test(arguments: [Int64.min, Int64.min + 1, -1, 1])
  func `a secret that is over has no time left, however long ago that was`(end: Int64) async throws {
    let body = Self.whole.replacing(#""client_secret":"#, with: #""client_secret_expires_at":\#(end),"client_secret":"#)
    let answer = try await answer(body, #"{"issuer":"https://issuer.test","clientSecretFile":"/s","management":true}"#)
    #expect(answer.contains(#""secretExpiresIn":0"#))
  }

  @Test func `a secret that nobody asked for makes no client, and is in no answer`() async throws {
    let answer = try await answer(Self.whole, #"{"issuer":"https://issuer.test","management":true}"#)
    #expect(answer.contains("org.almoner.Almoner.Misconfigured") && answer.contains("--client-secret-file"))
    #expect(!answer.contains("s3cret") && !answer.contains("m4nage"))
  }

  @Test(arguments: ["a b", "a\\u0000b", "a\\r\\nX: y", "é", ""])
  func `an initial access token that no header field could carry is refused, and not repeated`(
    token: String
  ) async throws {
    let answer = try await answer(
      Self.whole, #"{"issuer":"https://issuer.test","initialAccessToken":"\#(token)"}"#)
    #expect(answer.contains("BadRequest") && answer.contains(#""field":"initialAccessToken""#))
  }

  @Test func `a refusal is denied, and speaks of no account's tokens`() async throws {
    let client = try await ServedVault().connect()
    let answer = try #require(client.call("RegisterClient", #"{"issuer":"https://issuer.test"}"#))
    #expect(answer.contains("org.almoner.Almoner.Denied") && answer.contains("nobody is registered here"))
    #expect(!answer.contains("tokens are kept"))
  }
}
