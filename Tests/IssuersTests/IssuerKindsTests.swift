import Issuers
import Testing
import Vault

struct IssuerKindsTests {
  @Test(arguments: IssuerKinds.all.map(\.name))
  func `every kind makes its adapter or says why it cannot`(kind: String) throws {
    let fake = try FakeIssuer()
    do throws(IssuerError) {
      let issuer = try IssuerKinds.make(profile(kind), fake.services)
      #expect(issuer.profile.kind == kind)
    } catch {
      #expect(kind == "didit-native" && "\(error)".contains("not published"))
    }
  }

  @Test func `a kind that is not there is named as such`() throws {
    let fake = try FakeIssuer()
    #expect(throws: IssuerError.self) {
      _ = try IssuerKinds.make(profile("saml"), fake.services)
    }
  }

  @Test func `names of kinds are unique`() {
    #expect(Set(IssuerKinds.all.map(\.name)).count == IssuerKinds.all.count)
  }

  @Test func `plain http passes only to this machine and only where it is allowed`() throws {
    let fake = try FakeIssuer()
    let loopback = "http://localhost:8080"
    #expect(throws: IssuerError.self) {
      _ = try IssuerKinds.make(profile("didit", identifier: loopback), fake.services)
    }
    _ = try IssuerKinds.make(
      profile("didit", identifier: loopback, plainLoopback: true), fake.services)
  }

  @Test func `accounts of one issuer share its adapter's keys`() async throws {
    let fake = try FakeIssuer()
    let pool = IssuerPool(fake.services)
    let tokens = try fake.tokens(access: fake.token("at+jwt"))
    for _ in 0..<3 {
      _ = try await pool.issuer(for: profile("didit")).verify(tokens, TokenExpectation(nonce: nil, subject: nil))
    }
    #expect(fake.fetches(FakeIssuer.keysURL) == 1)
  }
}
