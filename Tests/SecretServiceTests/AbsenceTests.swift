import SecretService
import Testing

@Suite(.enabled(if: Scene.isService("none"))) struct KeyringAbsentTests {
  @Test func `a bus without a service says which one is missing`() async throws {
    let keyring = try Scene.keyring()
    await #expect { _ = try await keyring.load(Scene.query) } throws: { Scene.isUnavailable($0, "no Secret Service") }
  }
}

@Suite(.enabled(if: Scene.isBusAbsent)) struct BusAbsentTests {
  @Test func `without a bus there is no keyring, and none is started`() async throws {
    let keyring = try Scene.keyring()
    await #expect { _ = try await keyring.load(Scene.query) } throws: { Scene.isAbsent($0, "no session bus") }
  }

  @Test func `unlocking without a bus says that there is none`() async throws {
    let keyring = try Scene.keyring()
    await #expect { try await keyring.unlock(Scene.query.key) } throws: { Scene.isAbsent($0, "no session bus") }
  }
}
