import Exchange
import Issuers
import Secrets
import Testing
import Time
import Vault

/// A sign-in at an issuer that nobody here wrote, played back.
struct RecordedIssuerTests {
  private let fake: FakeIssuer
  private let issuer: OpenIDIssuer

  init() throws {
    fake = try FakeIssuer()
    fake.clock.setWall(WallInstant(seconds: Recorded.wall))
    fake.publish(Recorded.issuer + "/.well-known/openid-configuration", Recorded.metadata)
    fake.publish(Recorded.issuer + "/.well-known/jwks.json", Recorded.keys)
    issuer = try OpenIDIssuer(
      profile("openid", identifier: Recorded.issuer, clientID: "native", plainLoopback: true), fake.services)
  }

  private func tokens() throws -> TokenSet? {
    guard case .granted(let tokens) = issuer.read(try fake.answer(200, Recorded.tokens), previous: nil) else {
      return nil
    }
    return tokens
  }

  @Test func `its token response is read whole`() throws {
    let tokens = try #require(try tokens())
    #expect(text(tokens.accessToken) == "y3IYzNiyMdcCb6L79B9snTQeNBphfE")
    #expect(tokens.refreshToken.map(text) == "NaZFuuLFZ9pvHTWUxYd49YVnbpzBAX")
    #expect(tokens.lifetime == .seconds(3600) && tokens.scope == "openid profile email offline_access")
  }

  @Test func `its RS256 ID token verifies, nonce and access-token hash included`() async throws {
    let tokens = try #require(try tokens())
    let identity = try await issuer.verify(tokens, TokenExpectation(nonce: box("n1"), subject: nil))
    #expect(identity.subject == "1" && identity.issuer == Recorded.issuer)
  }

  @Test func `its promise of iss is read`() async throws {
    #expect(try await issuer.promisesIssuerParameter())
  }

  @Test func `its ID token is refused for another attempt`() async throws {
    let tokens = try #require(try tokens())
    let expectation = TokenExpectation(nonce: try box("n2"), subject: nil)
    let error = await refusal { () async throws(IssuerError) in try await issuer.verify(tokens, expectation) }
    #expect(error?.isRefusal == true)
  }
}
