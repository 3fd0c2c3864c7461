import Glibc
import Secrets
import Stores
import Testing
import Vault

/// What the sealed file alone promises: its key, its file, and whom it trusts.
@Suite struct SealedFileTests {
  let state: TemporaryState
  let account: Account

  init() throws {
    state = try TemporaryState()
    account = try Samples.account("a")
  }

  private var path: String { state.file(account.id.text + ".sealed") }

  @Test func `without a passphrase the store is locked`() async throws {
    let store = try Samples.sealedFile(state)
    #expect(await store.availability() == .locked)
    await #expect(throws: StoreError.locked) { try await store.save(try Samples.secret("x"), for: account) }
  }

  @Test func `what a locked store has is not told, and that it has nothing is`() async throws {
    let store = try await Samples.openSealedFile(state)
    let other = try Samples.account("b")
    for one in [account, other] { try await store.save(try Samples.secret("kept"), for: one) }
    await store.forget()
    await #expect(throws: StoreError.locked) { _ = try await store.load(account) }
    #expect(try await store.remove(account))
    #expect(try await store.load(account) == nil)
    await #expect(throws: StoreError.locked) { _ = try await store.load(other) }
    #expect(try await store.remove(other))
    #expect(try await store.load(other) == nil)
  }

  @Test func `a locked store is left empty by a refused save`() async throws {
    let store = try Samples.sealedFile(state)
    await #expect(throws: StoreError.locked) { try await store.save(try Samples.secret("x"), for: account) }
    #expect(TemporaryState.names(in: state.path).isEmpty)
  }

  @Test func `forgetting locks and the right passphrase opens again`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    await store.forget()
    #expect(await store.availability() == .locked)
    #expect(store.isKnownLocked)
    try await store.unlock(passphrase: try Samples.secret("correct horse"))
    #expect(!store.isKnownLocked)
    #expect(try await store.load(account)?.text == "kept")
  }

  @Test func `the passphrase works in the next process`() async throws {
    try await Samples.openSealedFile(state).save(try Samples.secret("kept"), for: account)
    let next = try await Samples.openSealedFile(state)
    #expect(try await next.load(account)?.text == "kept")
  }

  @Test(arguments: ["wrong horse", "", "correct horse "])
  func `a wrong passphrase is told apart from damage`(_ passphrase: String) async throws {
    try await Samples.openSealedFile(state).save(try Samples.secret("kept"), for: account)
    let next = try Samples.sealedFile(state)
    await #expect(throws: StoreError.wrongPassphrase) {
      try await next.unlock(passphrase: try Samples.secret(passphrase))
    }
    #expect(await next.availability() == .locked)
  }

  @Test func `an open store looks at no passphrase`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    try await store.unlock(passphrase: try Samples.secret("wrong horse"))
    #expect(try await store.load(account)?.text == "kept")
  }

  @Test func `unlocking without a passphrase says locked`() async throws {
    let store = try Samples.sealedFile(state)
    await #expect(throws: StoreError.locked) { try await store.unlock(passphrase: nil) }
  }

  @Test func `the file and its directory are closed to others`() async throws {
    try await Samples.openSealedFile(state).save(try Samples.secret("kept"), for: account)
    #expect(Self.mode(state.sealed) == 0o700)
    #expect(Self.mode(path) == 0o600)
  }

  @Test func `the file does not show the record`() async throws {
    try await Samples.openSealedFile(state).save(try Samples.secret("SENTINEL-4711"), for: account)
    let bytes = try TemporaryState.bytes(of: path)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("SENTINEL"))
  }

  @Test func `signing out leaves the state directory empty`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    try await store.remove(account)
    #expect(TemporaryState.names(in: state.path).isEmpty)
  }

  @Test func `a locked store can still be wiped`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    await store.forget()
    try await store.remove(account)
    #expect(TemporaryState.names(in: state.path).isEmpty)
  }

  @Test func `a removed file was overwritten first`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    // What the disk has of it, whatever becomes of its name.
    let file = unsafe open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 1, count: 4096)
    #expect(unsafe pread(file, &bytes, bytes.count, 0) > 0)
    try await store.remove(account)
    let count = unsafe pread(file, &bytes, bytes.count, 0)
    #expect(count > 0 && bytes[..<count].allSatisfy { $0 == 0 })
  }

  @Test func `what a crash left of a save is removed by the next start`() async throws {
    try await Samples.openSealedFile(state).save(try Samples.secret("kept"), for: account)
    try TemporaryState.write([1, 2, 3], to: path + ".tmp")
    #expect(try await Samples.openSealedFile(state).load(account)?.text == "kept")
    #expect(TemporaryState.names(in: state.sealed) == [account.id.text + ".sealed"])
  }

  @Test func `removing takes the temporary file too`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("kept"), for: account)
    try TemporaryState.write([1, 2, 3], to: path + ".tmp")
    try await store.remove(account)
    #expect(TemporaryState.names(in: state.path).isEmpty)
  }

  @Test func `a file copied over another account's does not open`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("of a"), for: account)
    let other = try Samples.account("b")
    try TemporaryState.write(try TemporaryState.bytes(of: path), to: state.file(other.id.text + ".sealed"))
    await #expect { _ = try await store.load(other) } throws: { isDamage($0) }
  }

  @Test func `a file of another store is told apart, and the others still open`() async throws {
    let store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("of a"), for: account)
    let foreign = try TemporaryState()
    try await Samples.openSealedFile(foreign).save(try Samples.secret("foreign"), for: try Samples.account("b"))
    let name = String(repeating: "b", count: 32) + ".sealed"
    try TemporaryState.write(try TemporaryState.bytes(of: foreign.file(name)), to: state.file(name))
    let next = try await Samples.openSealedFile(state)
    await #expect { _ = try await next.load(try Samples.account("b")) } throws: { isDamage($0) }
    #expect(try await next.load(account)?.text == "of a")
  }

  private static func mode(_ path: String) -> mode_t {
    var about = stat()
    guard unsafe lstat(path, &about) == 0 else { return 0 }
    return about.st_mode & 0o7777
  }
}
