import Glibc
import LocalSocket
import Testing

@Suite struct SocketPathTests {
  @Test func `a named socket is taken as it is and counts as explicit`() throws {
    let path = try find(["ALMONER_SOCKET": "/x/y.sock", "XDG_RUNTIME_DIR": "/run/user/7"])
    #expect(path.text == "/x/y.sock")
    #expect(path.isExplicit)
  }

  @Test func `without a name the socket is below the runtime directory`() throws {
    let path = try find(["ALMONER_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"])
    #expect(path.text == "/run/user/7/almoner/almoner.sock")
    #expect(!path.isExplicit)
  }

  @Test func `without a runtime directory the person's own directory is taken if nobody else can enter it`() throws {
    let root = try TemporaryDirectory()
    unsafe mkdir("\(root.path)/\(getuid())", 0o700)
    #expect(try find([:], root.path).text == "\(root.path)/\(getuid())/almoner/almoner.sock")
  }

  @Test(arguments: [0o755, 0o770, 0o701] as [mode_t])
  func `a person's directory that others can enter is not taken`(mode: mode_t) throws {
    let root = try TemporaryDirectory()
    unsafe mkdir("\(root.path)/\(getuid())", 0o700)
    unsafe chmod("\(root.path)/\(getuid())", mode)
    #expect(throws: LocalSocketError.noRuntimeDirectory) { try find([:], root.path) }
  }

  @Test func `a person's directory that is a symbolic link is not taken`() throws {
    let root = try TemporaryDirectory()
    unsafe mkdir("\(root.path)/real", 0o700)
    unsafe symlink("real", "\(root.path)/\(getuid())")
    #expect(throws: LocalSocketError.noRuntimeDirectory) { try find([:], root.path) }
  }

  @Test func `a path of 107 bytes fits and one of 108 does not`() throws {
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(try find(["ALMONER_SOCKET": longest]).text == longest)
    #expect(throws: LocalSocketError.pathTooLong) { try find(["ALMONER_SOCKET": longest + "a"]) }
  }

  @Test(arguments: ["ALMONER_SOCKET", "XDG_RUNTIME_DIR"])
  func `a relative path is refused`(variable: String) {
    #expect(throws: LocalSocketError.pathNotAbsolute) { try find([variable: "run/x"]) }
  }

  @Test func `a directory that is not there yet passes where it could be made, and nothing is made`() throws {
    let root = try TemporaryDirectory()
    let path = try find(["XDG_RUNTIME_DIR": root.path])
    try path.examine(owner: getuid())
    #expect(unsafe access("\(root.path)/almoner", F_OK) != 0)
  }

  @Test func `a runtime directory that is not there is told, and no absent socket`() throws {
    let path = try find(["XDG_RUNTIME_DIR": "/nonexistent"])
    let error = LocalSocketError.untrustedDirectory("/nonexistent/almoner cannot be made: No such file or directory")
    #expect(throws: error) { try path.examine(owner: getuid()) }
    #expect(throws: error) { _ = try path.openBeside("x", owner: getuid()) }
  }

  private func find(_ environment: [String: String], _ root: String = "/nonexistent") throws -> SocketPath {
    try SocketPath.find(user: getuid(), runtimeRoot: root) { environment[$0] }
  }
}
