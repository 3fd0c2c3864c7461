import Glibc
import Secrets
import Stores
import Testing
import Vault

/// C9: files and directories that are not ours alone are refused, on their descriptors.
@Suite struct SealedFileTrustTests {
  let state: TemporaryState
  let account: Account
  let store: SealedFileStore

  init() async throws {
    state = try TemporaryState()
    account = try Samples.account("a")
    store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("generation 1"), for: account)
  }

  private var path: String { state.file(account.id.text + ".sealed") }

  private func expectDistrust(sourceLocation: SourceLocation = #_sourceLocation) async {
    await #expect(sourceLocation: sourceLocation) { _ = try await store.load(account) } throws: { isDistrust($0) }
    await #expect(sourceLocation: sourceLocation) {
      try await store.save(try Samples.secret("new"), for: account)
    } throws: {
      isDistrust($0)
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o666] as [mode_t])
  func `a file open to others is refused`(_ mode: mode_t) async throws {
    unsafe chmod(path, mode)
    await expectDistrust()
  }

  @Test(arguments: [0o750, 0o701, 0o777] as [mode_t])
  func `a directory open to others is refused`(_ mode: mode_t) async throws {
    unsafe chmod(state.sealed, mode)
    await expectDistrust()
  }

  @Test func `a state directory open to others is refused`() async throws {
    unsafe chmod(state.path, 0o777)
    await expectDistrust()
    unsafe chmod(state.path, 0o700)
  }

  @Test func `a symbolic link in place of the file is refused`() async throws {
    unsafe rename(path, state.path + "/elsewhere")
    unsafe symlink(state.path + "/elsewhere", path)
    await expectDistrust()
  }

  @Test func `a symbolic link in place of the directory is refused`() async throws {
    unsafe rename(state.sealed, state.path + "/elsewhere")
    unsafe symlink(state.path + "/elsewhere", state.sealed)
    await expectDistrust()
  }

  @Test func `a second name of the file is refused`() async throws {
    unsafe link(path, state.path + "/second")
    await expectDistrust()
  }

  @Test func `a FIFO in place of the file is refused at once`() async throws {
    unsafe unlink(path)
    unsafe mkfifo(path, 0o600)
    await expectDistrust()
  }

  @Test func `a state directory that was deleted is not made again`() async throws {
    let moved = state.path + ".moved"
    unsafe rename(state.path, moved)
    await #expect { try await store.save(try Samples.secret("new"), for: account) } throws: { isDistrust($0) }
    #expect(unsafe access(state.path, F_OK) != 0)
    unsafe rename(moved, state.path)
  }

  @Test func `refusals leave no descriptor open`() async throws {
    unsafe chmod(path, 0o644)
    await expectDistrust()
    let before = Self.openHere(state.path)
    for _ in 0..<50 { await expectDistrust() }
    #expect(Self.openHere(state.path) == before)
  }

  /// How many descriptors of this process lead into the directory.
  private static func openHere(_ directory: String) -> Int {
    TemporaryState.names(in: "/proc/self/fd").filter { name in
      var room = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink("/proc/self/fd/" + name, &room, room.count)
      let target = String(decoding: room.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return target.hasPrefix(directory)
    }.count
  }
}
