import Secrets
import Sodium
import Testing

struct DigestTests {
  init() throws { try Sodium.start() }

  @Test func `SHA-256 gives the digest of FIPS 180-4 for abc`() {
    #expect(
      Hexadecimal.encode(SHA256.digest(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `SHA-256 of nothing is the known digest of nothing`() throws {
    #expect(
      Hexadecimal.encode(SHA256.digest(try secret("")))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `SHA-512 gives the digest of FIPS 180-4 for abc`() throws {
    #expect(
      Hexadecimal.encode(SHA512.digest(try secret("abc")))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), (">>>?", "Pj4+Pw=="),
  ])
  func `base64 is that of RFC 4648`(text: String, encoded: String) throws {
    let secret = try Base64.encode(try secret(text))
    #expect(unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } == encoded)
  }

  @Test func `the keyed hash agrees with another BLAKE2b`() throws {
    let digest = KeyedHash.digest(try secret("abc"), key: try secret(Array(0..<32)))
    #expect(Hexadecimal.encode(digest) == "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f")
  }

  @Test func `another key gives another hash`() throws {
    let one = KeyedHash.digest(try secret("abc"), key: try Random.secret(count: 32))
    let other = KeyedHash.digest(try secret("abc"), key: try Random.secret(count: 32))
    #expect(one != other)
  }

  @Test func `a passphrase gives the key that another Argon2id gives`() throws {
    let key = try PasswordHash.key(
      passphrase: try secret("correct horse"), salt: Array(0..<16), cost: .interactive)
    #expect(Hexadecimal.encode(revealed(key)) == "9aab5a81db651bf866ff7b6169794d2ad9bb00f3d95177925a5fca692a34dbd1")
  }

  @Test(arguments: [(1, 64 << 20), (17, 64 << 20), (2, 1 << 20), (2, 2 << 30)] as [(UInt64, Int)])
  func `a cost that is too cheap or too dear is refused`(operations: UInt64, memory: Int) {
    #expect(PasswordHash.Cost(operations: operations, memory: memory) == nil)
  }
}
