import Testing
import Vault

@Suite struct AccountIDTests {
  @Test(arguments: [
    "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff", "0123456789abcdef0123456789abcdef",
    "fedcba98765432108000000000000001",
  ])
  func `what was read is written again`(_ text: String) throws {
    #expect(try #require(AccountID(text)).text == text)
  }

  @Test(arguments: [
    "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0", "0123456789ABCDEF0123456789abcdef",
    "0123456789abcdef0123456789abcdeg", "../../../../../../../../../../etc",
  ])
  func `anything else is no id`(_ text: String) { #expect(AccountID(text) == nil) }

  @Test func `each digit counts`() throws {
    let ids = (0..<32).compactMap { place in
      AccountID(String(repeating: "0", count: place) + "1" + String(repeating: "0", count: 31 - place))
    }
    #expect(Set(ids).count == 32)
  }
}
