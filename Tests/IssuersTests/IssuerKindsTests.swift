import Issuers
import Testing
import Vault

struct IssuerKindsTests {
  @Test(arguments: IssuerKinds.all.map(\.name))
  func `every kind makes its adapter or says why it cannot`(kind: String) throws {
    let fake = try FakeIssuer()
    do throws(IssuerError) {
      let issuer = try IssuerKinds.make(profile(kind), fetch: fake.fetch, clock: fake.clock)
      #expect(issuer.profile.kind == kind)
    } catch {
      #expect(kind == "didit-native" && "\(error)".contains("not published"))
    }
  }

  @Test func `a kind that is not there is named as such`() throws {
    let fake = try FakeIssuer()
    #expect(throws: IssuerError.self) {
      _ = try IssuerKinds.make(profile("saml"), fetch: fake.fetch, clock: fake.clock)
    }
  }

  @Test func `names of kinds are unique`() {
    #expect(Set(IssuerKinds.all.map(\.name)).count == IssuerKinds.all.count)
  }

  @Test func `plain http passes only to this machine and only where it is allowed`() throws {
    let fake = try FakeIssuer()
    let loopback = "http://localhost:8080"
    #expect(throws: IssuerError.self) {
      _ = try IssuerKinds.make(profile("didit", identifier: loopback), fetch: fake.fetch, clock: fake.clock)
    }
    _ = try IssuerKinds.make(
      profile("didit", identifier: loopback, plainLoopback: true), fetch: fake.fetch, clock: fake.clock)
  }

  @Test func `accounts of one issuer share its adapter's keys`() async throws {
    let fake = try FakeIssuer()
    let pool = IssuerPool(fetch: fake.fetch, clock: fake.clock)
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    for _ in 0..<3 {
      _ = try await pool.issuer(for: profile("didit")).verify(tokens, TokenExpectation(nonce: nil, subject: nil))
    }
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
  }
}
