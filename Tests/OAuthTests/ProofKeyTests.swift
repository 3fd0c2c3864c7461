import OAuth
import Secrets
import Testing

struct ProofKeyTests {
  @Test func `the challenge is that of RFC 7636 appendix B`() throws {
    let verifier = try #require(CodeVerifier(box("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")))
    #expect(verifier.challenge.text == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `a new verifier has 43 characters of the alphabet`() throws {
    let verifier = try CodeVerifier.random()
    #expect(verifier.text.count == 43)
    #expect(CodeVerifier(verifier.text) != nil)
  }

  @Test(arguments: [42, 129])
  func `a verifier of another length is refused`(count: Int) throws {
    #expect(CodeVerifier(try box(String(repeating: "a", count: count))) == nil)
  }

  @Test(arguments: ["+", "=", " ", "é", "/"])
  func `a verifier with another character is refused`(character: String) throws {
    #expect(CodeVerifier(try box(String(repeating: "a", count: 50) + character)) == nil)
  }

  @Test func `states and nonces are never the same twice`() throws {
    #expect(try !StateParameter.random().text.isEqual(to: StateParameter.random().text))
    #expect(try !Nonce.random().text.isEqual(to: Nonce.random().text))
  }
}
