import Configuration
import Glibc
import Testing

private func base(_ root: TemporaryDirectory) throws -> BaseDirectories {
  try #require(BaseDirectories(environment: ["HOME": root.path]))
}

private func hold(_ root: TemporaryDirectory) throws -> StateDirectory {
  try StateDirectory(base(root), patience: .zero)
}

/// Why the directory is not used, without its path.
private func refusal(_ body: () throws -> Void) -> String? {
  do { try body() } catch StateError.untrusted(_, let why) { return why } catch { return "\(error)" }
  return nil
}

private let place = ".local/state/almoner"

@Suite struct StateDirectoryTests {
  @Test func `it is made with everything above it, for us alone`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    #expect([".local", ".local/state", place].map(root.mode) == [0o700, 0o700, 0o700])
    withExtendedLifetime(state) {}
  }

  @Test func `the lock file is ours alone`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    #expect(root.mode(of: place + "/lock") == 0o600)
    withExtendedLifetime(state) {}
  }

  @Test func `a second holder is told that one runs`() throws {
    let root = try TemporaryDirectory()
    let first = try hold(root)
    #expect(throws: StateError.alreadyRunning) { try hold(root) }
    withExtendedLifetime(first) {}
  }

  @Test func `the lock is free when its holder has gone`() throws {
    let root = try TemporaryDirectory()
    do { _ = try hold(root) }
    #expect(throws: Never.self) { try hold(root) }
  }

  @Test func `who is patient gets the lock when its holder goes`() async throws {
    let root = try TemporaryDirectory()
    let base = try base(root)
    var first: StateDirectory? = try hold(root)
    let second = Task.detached { try StateDirectory(base, patience: .seconds(20)) }
    withExtendedLifetime(first) {}
    first = nil
    await #expect(throws: Never.self) { try await second.value }
  }

  @Test func `a lock file that was deleted does not let a second holder in twice`() throws {
    let root = try TemporaryDirectory()
    let first = try hold(root)
    unsafe unlink("\(root.path)/\(place)/lock")
    let second = try hold(root)
    #expect(throws: StateError.alreadyRunning) { try hold(root) }
    withExtendedLifetime((first, second)) {}
  }

  @Test(arguments: [0o777, 0o750, 0o701] as [mode_t])
  func `a directory that others may open is refused`(mode: mode_t) throws {
    let root = try TemporaryDirectory()
    for name in [".local", ".local/state"] { try root.makeDirectory(name) }
    try root.makeDirectory(place, mode: mode)
    #expect(refusal { _ = try hold(root) } == "others may open it: its mode must be 0700")
  }

  @Test func `a symbolic link in its place is refused`() throws {
    let root = try TemporaryDirectory()
    for name in [".local", ".local/state", "elsewhere"] { try root.makeDirectory(name) }
    try root.link(place, to: root.path + "/elsewhere")
    #expect(refusal { _ = try hold(root) } == "it is a symbolic link or no directory")
  }

  @Test func `a file in its place is refused`() throws {
    let root = try TemporaryDirectory()
    for name in [".local", ".local/state"] { try root.makeDirectory(name) }
    try root.write(place, "")
    #expect(refusal { _ = try hold(root) } == "it is a symbolic link or no directory")
  }

  @Test func `a symbolic link as the lock is refused`() throws {
    let root = try TemporaryDirectory()
    for name in [".local", ".local/state", place] { try root.makeDirectory(name) }
    try root.link(place + "/lock", to: root.path + "/target")
    #expect(throws: StateError.self) { try hold(root) }
    #expect(root.mode(of: "target") == nil)
  }

  @Test func `opening the mode while we run is noticed`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    try root.setMode(place, 0o777)
    #expect(refusal { try state.directory.check() } == "others may open it: its mode must be 0700")
  }

  @Test func `deleting it while we run is noticed`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    try root.move(place, to: ".local/state/gone")
    #expect(refusal { try state.directory.check() } == "it was deleted")
  }

  @Test func `replacing it while we run is noticed`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    try root.move(place, to: ".local/state/gone")
    try root.makeDirectory(place)
    #expect(refusal { try state.directory.check() } == "it was replaced")
  }

  @Test func `a symbolic link put in its place while we run is noticed`() throws {
    let root = try TemporaryDirectory()
    let state = try hold(root)
    try root.move(place, to: ".local/state/gone")
    try root.link(place, to: root.path + "/.local/state/gone")
    #expect(refusal { try state.directory.check() } == "it was replaced")
  }
}
