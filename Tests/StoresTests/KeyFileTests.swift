import Glibc
import Secrets
import Stores
import Testing
import Vault

/// The key file is trusted no more than a sealed file.
@Suite struct KeyFileTests {
  let state: TemporaryState
  let account: Account

  init() throws {
    state = try TemporaryState()
    account = try Samples.account("a")
  }

  private func store() throws -> SealedFileStore {
    try Samples.sealedFile(state, key: .keyFile(path: state.path + "/key"))
  }

  @Test func `the key file opens the store without being asked for`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    try await store().save(try Samples.secret("kept"), for: account)
    #expect(try await store().load(account)?.text == "kept")
  }

  @Test func `after forgetting the key file is read again only by unlocking`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    let store = try store()
    try await store.save(try Samples.secret("kept"), for: account)
    await store.forget()
    await #expect(throws: StoreError.locked) { _ = try await store.load(account) }
    try await store.unlock(passphrase: nil)
    #expect(try await store.load(account)?.text == "kept")
  }

  @Test(arguments: [0, 31, 33])
  func `a key file of another length is refused`(_ count: Int) async throws {
    try TemporaryState.write([UInt8](repeating: 7, count: count), to: state.path + "/key")
    await #expect { _ = try await store().load(account) } throws: { isUnavailable($0) }
  }

  @Test func `a missing key file is said to be missing`() async throws {
    #expect(try await store().availability() == .unavailable("the key file is not there"))
  }

  @Test func `a key file open to others is refused`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key", mode: 0o644)
    await #expect { _ = try await store().load(account) } throws: { isDistrust($0) }
  }

  @Test func `a key file in a directory that others may write is refused`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    try #require(unsafe mkdir(state.path + "/open", 0o700) == 0)
    try #require(unsafe chmod(state.path + "/open", 0o777) == 0)
    try #require(unsafe rename(state.path + "/key", state.path + "/open/key") == 0)
    let store = try Samples.sealedFile(state, key: .keyFile(path: state.path + "/open/key"))
    await #expect { _ = try await store.load(account) } throws: { isDistrust($0) }
  }

  @Test func `another key file opens nothing and spoils nothing`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    try await store().save(try Samples.secret("kept"), for: account)
    try TemporaryState.write(Array(1..<33), to: state.path + "/key")
    await #expect { _ = try await store().load(account) } throws: { isUnavailable($0) }
    await #expect { try await store().save(try Samples.secret("new"), for: account) } throws: { isUnavailable($0) }
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    #expect(try await store().load(account)?.text == "kept")
  }

  @Test func `a passphrase does not open files sealed under a key file`() async throws {
    try TemporaryState.write(Array(0..<32), to: state.path + "/key")
    try await store().save(try Samples.secret("kept"), for: account)
    let other = try Samples.sealedFile(state)
    await #expect { try await other.unlock(passphrase: try Samples.secret("x")) } throws: { isUnavailable($0) }
  }
}
