import Issuers
import JOSE
import Secrets
import Sodium
import Testing
import Time
import Vault

/// How keys are fetched, seen through the didit adapter.
struct IssuerKeysTests {
  private let fake: FakeIssuer
  private let issuer: DiditIssuer
  private let anybody = TokenExpectation(nonce: nil, subject: nil)

  init() throws {
    fake = try FakeIssuer()
    issuer = try fake.didit()
  }

  private func verify(_ token: String) async throws -> IssuerError? {
    let tokens = try fake.tokens(access: token)
    return await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }
  }

  @Test func `keys are fetched once for five minutes and again after them`() async throws {
    #expect(try await verify(fake.token("at+jwt")) == nil)
    fake.clock.advance(by: .seconds(299))
    #expect(try await verify(fake.token("at+jwt")) == nil)
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
    fake.clock.advance(by: .seconds(1))
    #expect(try await verify(fake.token("at+jwt")) == nil)
    #expect(fake.fetches(FakeIssuer.keysURL) == 2)
  }

  @Test func `A16 - a hundred unknown kids fetch the keys at most once a minute`() async throws {
    let stranger = try SigningKey.generateES256()
    for _ in 0..<100 {
      #expect(try await verify(fake.token("at+jwt", key: stranger))?.isRefusal == true)
    }
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
    fake.clock.advance(by: .seconds(60))
    for _ in 0..<100 {
      #expect(try await verify(fake.token("at+jwt", key: stranger))?.isRefusal == true)
    }
    #expect(fake.fetches(FakeIssuer.keysURL) == 2)
  }

  @Test func `a key that was rotated in is found at once and the one that vanished is refused`() async throws {
    #expect(try await verify(fake.token("at+jwt")) == nil)
    let next = try SigningKey.generateES256()
    try fake.publish(keys: [next])
    fake.clock.advance(by: .seconds(1))
    #expect(try await verify(fake.token("at+jwt", key: next)) == nil)
    #expect(try await verify(fake.token("at+jwt"))?.isRefusal == true)
  }

  @Test func `a second change of keys within a minute is temporary and found after it`() async throws {
    #expect(try await verify(fake.token("at+jwt")) == nil)
    for (index, key) in [try SigningKey.generateES256(), try SigningKey.generateES256()].enumerated() {
      try fake.publish(keys: [key])
      fake.clock.advance(by: .seconds(1))
      let tokens = try fake.tokens(access: fake.token("at+jwt", key: key))
      let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) }
      #expect((error == nil) == (index == 0) && error?.isRefusal != true)
      fake.clock.advance(by: .seconds(index * 60))
      #expect(await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, anybody) } == nil)
    }
    #expect(fake.fetches(FakeIssuer.keysURL) == 3)
  }

  @Test func `a failed fetch is not repeated for every caller`() async throws {
    fake.fail(.notSent("no route"))
    for _ in 0..<10 { #expect(try await verify(fake.token("at+jwt")) != nil) }
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
    fake.fail(nil)
    fake.clock.advance(by: .seconds(5))
    #expect(try await verify(fake.token("at+jwt")) == nil)
  }

  @Test func `many callers at once cause one fetch`() async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    let subjects = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await issuer.verify(tokens, anybody).subject } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(subjects == ["p1"])
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
  }

  @Test(arguments: [
    #"{"alg":"none","typ":"at+jwt"}"#, #"{"alg":"HS256","typ":"at+jwt","kid":"KID"}"#,
    #"{"alg":"RS256","typ":"at+jwt","kid":"KID"}"#, #"{"alg":"ES256","typ":"at+jwt","jku":"https://evil.example"}"#,
    #"{"alg":"ES256","typ":"at+jwt","x5u":"https://evil.example"}"#,
  ])
  func `A16 - forged headers are refused and no address in them is fetched`(header: String) async throws {
    let header = header.replacing("KID", with: fake.key.keyID)
    let token = [header, #"{"iss":"\#(FakeIssuer.origin)"}"#, "sig"].map { Base64URL.encode(Array($0.utf8)) }
    #expect(try await verify(token.joined(separator: "."))?.isRefusal == true)
    #expect(fake.fetches("https://evil.example") == 0)
  }

  @Test(arguments: [-600, 600] as [Int64])
  func `H3 - an issuer whose clock is ten minutes off is understood`(skew: Int64) async throws {
    let fake = try FakeIssuer(skew: skew)
    let issuer = try fake.didit()
    let body = #"{"access_token":"\#(try fake.token("at+jwt"))","refresh_token":"r","expires_in":300}"#
    guard case .granted(let tokens) = issuer.read(try fake.answer(200, body), previous: nil) else {
      Issue.record("not granted")
      return
    }
    #expect(tokens.lifetime == .seconds(300))
    #expect(try await issuer.verify(tokens, anybody).subject == "p1")
  }

  @Test func `an answer that waited in the journal is judged by when it came`() async throws {
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    fake.clock.advance(by: .seconds(86400))
    #expect(try await issuer.verify(tokens, anybody).subject == "p1")
  }
}
