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

  @Test(arguments: [(0o777, true), (0o770, true), (0o1777, false), (0o755, false)] as [(mode_t, Bool)])
  func `a directory on the way that others may write is refused, unless it is sticky`(
    mode: mode_t, isRefused: Bool
  ) throws {
    for directory in ["/way", "/way/own"] { try #require(unsafe mkdir(state.path + directory, 0o700) == 0) }
    try TemporaryState.write(Array("s3cret".utf8), to: state.path + "/way/own/secret")
    try #require(unsafe chmod(state.path + "/way", mode) == 0)
    do {
      _ = try SecretFile.read(state.path + "/way/own/secret", called: "it")
      #expect(!isRefused)
    } catch {
      #expect(isRefused && error == .untrusted("it is in a directory that others may write: \(state.path)/way"))
    }
  }

  @Test func `it is the real way that counts, not that of a symbolic link`() throws {
    for directory in ["/open", "/open/own"] { try #require(unsafe mkdir(state.path + directory, 0o700) == 0) }
    try TemporaryState.write(Array("s3cret".utf8), to: state.path + "/open/own/secret")
    try #require(unsafe symlink("open/own", state.path + "/link") == 0)
    try #require(unsafe chmod(state.path + "/open", 0o777) == 0)
    #expect { _ = try SecretFile.read(state.path + "/link/secret", called: "it") } throws: { isDistrust($0) }
  }

  @Test func `a symbolic link is refused`() throws {
    try write("s3cret")
    try #require(unsafe symlink(path, path + ".link") == 0)
    #expect(throws: StoreError.untrusted("it is a symbolic link")) {
      _ = try SecretFile.read(path + ".link", called: "it")
    }
  }
}
