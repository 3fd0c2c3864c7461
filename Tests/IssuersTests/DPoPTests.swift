import Exchange
import Issuers
import JOSE
import JSON
import OAuth
import Secrets
import Sodium
import Testing
import Time
import Vault

/// Issuers that bind tokens to a key (RFC 9449).
struct DPoPTests {
  private static let people = "https://acme.example/me"
  private let fake: FakeIssuer
  private let key: SecretBox

  init() throws {
    fake = try FakeIssuer(skew: 90)
    key = try DPoPKey.draw()
  }

  private func claims(_ proof: SecretBox?) throws -> JSONObject {
    let part = try #require(proof.map(text)?.split(separator: ".")[1])
    let bytes = try Base64URL.decode(String(part))
    return unsafe try JSONReader.parseObject(bytes.span.bytes)
  }

  private func oauth() throws -> OAuthIssuer {
    var options = IssuerOptions()
    options.dpop = true
    options.endpoints = [
      .authorization: "https://acme.example/a", .token: "https://acme.example/t", .userInfo: Self.people,
    ]
    return try fake.oauth(options)
  }

  @Test func `the authorization request names the key, and not without one`() async throws {
    let thumbprint = try DPoPKey(key).thumbprint
    let issuer = try fake.openID()
    #expect(try await issuer.authorizationURL(attempt(dpopKey: key)).contains("&dpop_jkt=\(thumbprint)"))
    #expect(try await !issuer.authorizationURL(attempt()).contains("dpop"))
  }

  @Test func `a pushed authorization request names it, and the browser does not`() async throws {
    let pushing = FakeIssuer.origin + "/par"
    fake.publish(
      FakeIssuer.metadataURL,
      FakeIssuer.metadata.replacing("}", with: #","pushed_authorization_request_endpoint":"\#(pushing)"}"#))
    fake.publish(pushing, #"{"request_uri":"urn:x:1","expires_in":60}"#, status: 201)
    let url = try await fake.openID().authorizationURL(attempt(dpopKey: key))
    #expect(!url.contains("dpop_jkt"))
    let thumbprint = try DPoPKey(key).thumbprint
    let pushed = try #require(fake.requests.first { $0.url == pushing }?.body)
    #expect(text(pushed).contains("&dpop_jkt=\(thumbprint)"))
  }

  @Test func `a token request is proven by the issuer's clock`() async throws {
    let issuer = try fake.openID()
    let plain = try await issuer.refreshRequest(refreshToken: box("r"))
    _ = issuer.read(try fake.answer(500, ""), previous: nil)
    let claims = try claims(issuer.proven(plain, by: key).dpopProof)
    #expect(claims["htm"] == .string("POST") && claims["htu"] == .string(FakeIssuer.origin + "/token"))
    #expect(claims["iat"] == .integer(fake.clock.wall.seconds + 90) && claims["nonce"] == nil && claims["ath"] == nil)
  }

  @Test func `B20 a nonce is learned from every answer and repeated, with a new jti each time`() async throws {
    let issuer = try fake.openID()
    let plain = try await issuer.refreshRequest(refreshToken: box("r"))
    fake.tell(nonces: "n-1", "n-2")
    guard case .challenged = issuer.read(try fake.answer(400, #"{"error":"use_dpop_nonce"}"#), previous: nil) else {
      Issue.record("not challenged")
      return
    }
    let first = try claims(issuer.proven(plain, by: key).dpopProof)
    _ = issuer.read(try fake.answer(200, #"{"access_token":"a"}"#), previous: nil)
    let second = try claims(issuer.proven(plain, by: key).dpopProof)
    #expect(first["nonce"] == .string("n-1") && second["nonce"] == .string("n-2"))
    #expect(first["jti"] != second["jti"])
  }

  @Test func `who signed in is asked with a proof for the token`() async throws {
    fake.publish(Self.people, #"{"sub":"p1"}"#)
    let expectation = TokenExpectation(nonce: try box("n1"), subject: nil, dpopKey: key)
    _ = try await oauth().verify(fake.tokens(access: "a1"), expectation)
    let request = try #require(fake.requests.last)
    let claims = try claims(request.dpopProof)
    #expect(claims["ath"] == .string(Base64URL.encode(SHA256.digest(Array("a1".utf8)))))
    #expect(claims["htm"] == .string("GET") && claims["htu"] == .string(Self.people))
  }

  @Test func `B20 who signed in is asked once more where a nonce is wanted, and only there`() async throws {
    fake.publish(Self.people, "", status: 401)
    fake.tell(nonces: "n-1")
    let (issuer, tokens) = (try oauth(), try fake.tokens(access: "a1"))
    let bound = TokenExpectation(nonce: try box("n1"), subject: nil, dpopKey: key)
    #expect(await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, bound) } != nil)
    #expect(fake.fetches(Self.people) == 2)
    #expect(try claims(fake.requests.last?.dpopProof)["nonce"] == .string("n-1"))
    let free = TokenExpectation(nonce: try box("n1"), subject: nil)
    #expect(await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, free) } != nil)
    #expect(fake.fetches(Self.people) == 3)
  }

  @Test func `a proof for a resource has the resource's nonce and none of the issuer's`() async throws {
    let issuer = try fake.openID()
    fake.tell(nonces: "issuers")
    _ = issuer.read(try fake.answer(500, ""), previous: nil)
    let target = try DPoPTarget(method: "GET", url: "https://api.example/x?y", nonce: nil)
    let claims = try claims(issuer.proof(for: target, box("a1"), by: key))
    #expect(claims["nonce"] == nil && claims["htu"] == .string("https://api.example/x"))
    #expect(claims["ath"] != nil)
  }

  @Test func `bytes that are no key are refused in words`() async throws {
    let request = try await fake.openID().refreshRequest(refreshToken: box("r"))
    #expect(throws: IssuerError.temporary("no proof of possession could be signed")) {
      try fake.openID().proven(request, by: box("no key"))
    }
  }
}
