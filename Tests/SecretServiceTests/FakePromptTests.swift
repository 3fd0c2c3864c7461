import SecretService
import Testing

// Services that ask the person before they unlock.

@Suite(.enabled(if: Scene.isService("prompt-complete"))) struct FakePromptCompleteTests {
  @Test func `five who unlock share one prompt and all go on`() async throws {
    let keyring = try Scene.keyring()
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 { group.addTask { try await keyring.unlock() } }
      try await group.waitForAll()
    }
    #expect(await keyring.availability() == .open)
  }
}

@Suite(.enabled(if: Scene.isService("prompt-dismiss"))) struct FakePromptDismissTests {
  @Test func `a dismissed prompt is said to be dismissed`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.dismissed) { try await keyring.unlock() }
  }
}

@Suite(.serialized, .enabled(if: Scene.isService("prompt-hang"))) struct FakePromptHangTests {
  @Test func `while a prompt is open other calls answer at once`() async throws {
    let keyring = try Scene.keyring()
    let asking = Task { try await keyring.unlock() }
    let start = ContinuousClock.now
    for _ in 0..<20 { #expect(await keyring.availability() == .locked) }
    #expect(ContinuousClock.now - start < .seconds(1))
    asking.cancel()
    _ = await asking.result
  }

  @Test func `the last who leaves closes the prompt, and each is told at once`() async throws {
    let keyring = try Scene.keyring()
    let asking = (0..<3).map { _ in Task { try await keyring.unlock() } }
    let start = ContinuousClock.now
    for task in asking {
      task.cancel()
      await #expect(throws: KeyringError.dismissed) { try await task.value }
    }
    #expect(ContinuousClock.now - start < .seconds(2))
  }
}
