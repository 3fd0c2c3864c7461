import Glibc
import Secrets
import Stores
import Testing
import Vault

/// A file with a secret is trusted no more than a key file.
@Suite struct SecretFileTests {
  private let state: TemporaryState
  private let path: String

  init() throws {
    state = try TemporaryState()
    path = state.path + "/secret"
  }

  private func write(_ text: String) throws { try TemporaryState.write(Array(text.utf8), to: path) }

  private func read() throws -> SecretBox { try SecretFile.read(path, called: "the file") }

  @Test(arguments: ["s3cret", "s3cret\n", "s3cret\r\n"])
  func `a secret is read without the end of its line`(text: String) throws {
    try write(text)
    #expect(try read().text == "s3cret")
  }

  @Test(arguments: ["", "\n", "a\nb", "\u{e9}", String(repeating: "x", count: 1025)])
  func `what is no secret is refused`(text: String) throws {
    try write(text)
    #expect { _ = try read() } throws: { isUnavailable($0) }
  }

  @Test func `a file that is not there is told`() {
    #expect(throws: StoreError.unavailable("the file is not there")) { _ = try read() }
  }

  @Test(arguments: [0o640, 0o604] as [mode_t])
  func `a file that others may read is refused`(mode: mode_t) throws {
    try write("s3cret")
    try #require(unsafe chmod(path, mode) == 0)
    #expect(throws: StoreError.untrusted("the file is open to others; its mode must be 0600")) { _ = try read() }
  }

  @Test func `a symbolic link is refused`() throws {
    try write("s3cret")
    try #require(unsafe symlink(path, path + ".link") == 0)
    #expect(throws: StoreError.untrusted("it is a symbolic link")) {
      _ = try SecretFile.read(path + ".link", called: "it")
    }
  }
}
