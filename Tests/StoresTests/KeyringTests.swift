import EventLoop
import Glibc
import SecretService
import Secrets
import Stores
import Testing
import Vault

/// A real keyring daemon that locks, hangs, dies and comes back. Run by `Tests/Integration/keyring/run-store-tests.sh`.
@Suite(.serialized, .enabled(if: Backend.hasKeyring)) struct KeyringTests {
  let keyring: Keyring
  let store: SecretServiceStore
  let account: Account

  init() throws {
    keyring = try Keyring(try Samples.loop.get().loop)
    store = SecretServiceStore(keyring)
    account = try Samples.account("c", backend: .secretService)
  }

  private func save(_ text: String) async throws { try await store.save(try Samples.secret(text), for: account) }
  private func load() async throws -> String? { try await store.load(account)?.text }

  @Test func `the item is found by every attribute of ours`() async throws {
    try await save("SENTINEL found")
    let all = Bench.query(account).attributes
    #expect(try await keyring.load(KeyringQuery(key: all, attributes: all)) != nil)
    try await store.remove(account)
  }

  @Test func `a locked keyring answers locked and keeps what it has`() async throws {
    try await save("SENTINEL before")
    try KeyringControl.run("lock")
    #expect(await store.availability() == .locked)
    await #expect(throws: StoreError.locked) { _ = try await load() }
    await #expect(throws: StoreError.locked) { try await save("SENTINEL while locked") }
    await #expect(throws: StoreError.locked) { try await store.remove(account) }
    try KeyringControl.run("unlock")
    #expect(try await load() == "SENTINEL before")
    try await store.remove(account)
  }

  @Test func `a keyring that is locked when its service starts is locked, and nothing is made beside it`() async throws
  {
    try await save("SENTINEL before")
    let files = TemporaryState.names(in: Self.files)
    try KeyringControl.run("stop")
    try KeyringControl.run("start-locked")
    await #expect(throws: StoreError.locked) { _ = try await load() }
    await #expect(throws: StoreError.locked) { try await save("SENTINEL while locked") }
    #expect(TemporaryState.names(in: Self.files) == files)
    try KeyringControl.run("unlock")
    #expect(try await load() == "SENTINEL before")
    try await store.remove(account)
  }

  /// Where gnome-keyring keeps its collections.
  private static var files: String {
    (unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? "") + "/.local/share/keyrings"
  }

  @Test func `unlocking where nobody can be asked says dismissed`() async throws {
    try KeyringControl.run("lock")
    await #expect(throws: StoreError.dismissed) { try await store.unlock(passphrase: nil) }
    try KeyringControl.run("unlock")
  }

  @Test func `unlocking an open keyring asks nobody`() async throws { try await store.unlock(passphrase: nil) }

  @Test func `a restarted service is reached again`() async throws {
    try await save("SENTINEL before")
    try KeyringControl.run("stop")
    try KeyringControl.run("start")
    #expect(try await load() == "SENTINEL before")
    try KeyringControl.run("stop")
    try KeyringControl.run("start")
    try await save("SENTINEL after")
    #expect(try await load() == "SENTINEL after")
    try await store.remove(account)
  }

  @Test func `a service that is gone is unavailable until it is back`() async throws {
    try await save("SENTINEL kept")
    try KeyringControl.run("kill")
    await #expect { _ = try await load() } throws: { isUnavailable($0) }
    try KeyringControl.run("start")
    #expect(try await load() == "SENTINEL kept")
    try await store.remove(account)
  }

  @Test func `a service that hangs is unavailable after two seconds, for all who ask`() async throws {
    try await save("SENTINEL kept")
    try KeyringControl.run("freeze")
    let start = ContinuousClock.now
    await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask { await #expect { _ = try await load() } throws: { isUnavailable($0) } }
      }
    }
    let took = ContinuousClock.now - start
    try KeyringControl.run("thaw")
    #expect(took > .milliseconds(1900) && took < .milliseconds(3000))
    #expect(try await load() == "SENTINEL kept")
    try await store.remove(account)
  }

  @Test func `a service killed in the middle of a save has the old record or the new one`() async throws {
    try await save("SENTINEL 0")
    for round in 1...5 {
      let before = try await load()
      async let saved: Void = save("SENTINEL \(round)")
      try KeyringControl.run("kill")
      do { try await saved } catch { #expect(isUnavailable(error)) }
      try KeyringControl.run("start")
      let after = try await load()
      #expect(after == before || after == "SENTINEL \(round)")
    }
    try await store.remove(account)
  }

  @Test func `of two items neither is chosen, and removing takes both`() async throws {
    try await save("SENTINEL one")
    try await addItem(["made-by": "somebody"])
    await #expect { _ = try await load() } throws: { isDamage($0) }
    await #expect { try await save("SENTINEL new") } throws: { isDamage($0) }
    try await store.remove(account)
    #expect(try await load() == nil)
  }

  @Test func `an item with an attribute more is read and replaced, not doubled`() async throws {
    let record = try Samples.secret("SENTINEL superset")
    try await save("SENTINEL superset")
    let held = try await keyring.load(Bench.query(account))
    try await store.remove(account)
    try await addItem(["note": "added by a keyring"], secret: held)
    #expect(try await store.load(account)?.isEqual(to: record) == true)
    try await save("SENTINEL new")
    #expect(try await load() == "SENTINEL new")
    try await store.remove(account)
  }

  @Test func `after forgetting, the next call makes a new session`() async throws {
    try await save("SENTINEL kept")
    await store.forget()
    #expect(try await load() == "SENTINEL kept")
    try await store.remove(account)
  }

  @Test func `another environment is not the same account`() async throws {
    try await save("SENTINEL sandbox")
    var attributes = Bench.query(account).attributes
    attributes["environment"] = "live"
    let live = KeyringQuery(key: Bench.query(account).key, attributes: attributes)
    await #expect { _ = try await keyring.load(live) } throws: { error in
      if case .inconsistent = error as? KeyringError { true } else { false }
    }
    try await store.remove(account)
  }

  /// Puts an item beside ours that is found by our key.
  private func addItem(_ more: [String: String], secret: SecretBox? = nil) async throws {
    let attributes = Bench.query(account).attributes.merging(more) { ours, _ in ours }
    let item = KeyringItem(label: "planted", attributes: attributes, secret: try secret ?? Samples.secret("planted"))
    // Found by what only it has, so that the door sees no second item.
    let query = KeyringQuery(key: more, attributes: attributes)
    try await keyring.save(item, query) { _ in true }
  }
}

/// A service with no collection at all.
@Suite(.enabled(if: Backend.hasKeyring)) struct KeyringWithoutCollectionTests {
  @Test func `a keyring that was never made is unavailable, with what helps`() async throws {
    let store = SecretServiceStore(try Keyring(try Samples.loop.get().loop))
    await #expect { _ = try await store.load(try Samples.account("c")) } throws: { error in
      guard case .unavailable(let text) = error as? StoreError else { return false }
      return text.contains("no default collection")
    }
  }
}
