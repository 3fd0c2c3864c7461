import SecretService
import Testing

// Services that misbehave, one a suite. The script counts what they saw.

@Suite(.enabled(if: Scene.isService("plain"))) struct FakePlainTests {
  @Test func `a service without encrypted transfer is refused`() async throws {
    let keyring = try Scene.keyring()
    await #expect { try await Scene.save(keyring) } throws: { Scene.isUnavailable($0, "no encrypted transfer") }
  }
}

@Suite(.enabled(if: Scene.isService("create-prompt"))) struct FakeCreatePromptTests {
  @Test func `a confirmation that nobody gives ends with the deadline and is said to be in the way`() async throws {
    let keyring = try Scene.keyring()
    await #expect { try await Scene.save(keyring) } throws: { Scene.isRefused($0) }
  }
}

@Suite(.enabled(if: Scene.isService("create-prompt-locked"))) struct FakeCreatePromptLockedTests {
  @Test func `a prompt of a keyring that locked just then is dismissed unseen`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.locked) { try await Scene.save(keyring) }
  }
}

@Suite(.enabled(if: Scene.isService("delete-prompt"))) struct FakeDeletePromptTests {
  @Test func `a confirmation before deleting ends with the deadline and is said to be in the way`() async throws {
    let keyring = try Scene.keyring()
    await #expect { try await keyring.remove(Scene.query) } throws: { Scene.isRefused($0) }
  }
}

@Suite(.serialized, .enabled(if: Scene.isService("hidden"))) struct FakeHiddenTests {
  @Test func `D5 nothing found while a locked collection shows nothing is locked, not absent`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.locked) { _ = try await keyring.load(Scene.query) }
  }

  @Test func `D5 nothing new is made beside what may be hidden`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.locked) { try await Scene.save(keyring, isKnown: true) }
  }
}

@Suite(.enabled(if: Scene.isService("listed"))) struct FakeListedTests {
  @Test func `D5 nothing found while a locked collection shows what it holds is absent`() async throws {
    let keyring = try Scene.keyring()
    #expect(try await keyring.load(Scene.query) == nil)
  }
}

@Suite(.enabled(if: Scene.isService("item-locked"))) struct FakeItemLockedTests {
  @Test func `an item that is locked by itself is locked until it is unlocked`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.locked) { _ = try await keyring.load(Scene.query) }
    try await keyring.unlock(Scene.query.key)
    #expect(try await keyring.load(Scene.query) == nil)
  }
}

@Suite(.enabled(if: Scene.isService("many"))) struct FakeManyTests {
  @Test func `a thousand items for one account are refused without reading them`() async throws {
    let keyring = try Scene.keyring()
    await #expect { _ = try await keyring.load(Scene.query) } throws: { Scene.isInconsistent($0) }
  }
}

@Suite(.enabled(if: Scene.isService("odd-locked"))) struct FakeOddLockedTests {
  @Test func `a Locked that is no Boolean is not taken for open`() async throws {
    let keyring = try Scene.keyring()
    await #expect { _ = try await keyring.load(Scene.query) } throws: { Scene.isUnavailable($0, "no Boolean") }
  }
}

@Suite(.enabled(if: Scene.isService("no-collection"))) struct FakeNoCollectionTests {
  @Test func `a service without a default collection says what helps`() async throws {
    let keyring = try Scene.keyring()
    await #expect { _ = try await keyring.load(Scene.query) } throws: { Scene.isUnavailable($0, "create one") }
  }
}

@Suite(.enabled(if: Scene.isService("session-collection"))) struct FakeSessionCollectionTests {
  @Test func `the session collection is never used`() async throws {
    let keyring = try Scene.keyring()
    await #expect { try await Scene.save(keyring) } throws: { Scene.isUnavailable($0, "no default collection") }
  }
}
