import SecretService
import Testing

// Services that ask the person before they unlock.

@Suite(.enabled(if: Scene.isService("prompt-complete"))) struct FakePromptCompleteTests {
  @Test func `five who unlock share one prompt and all go on`() async throws {
    let keyring = try Scene.keyring()
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 { group.addTask { try await keyring.unlock(Scene.query.key) } }
      try await group.waitForAll()
    }
    #expect(await keyring.availability() == .open)
  }
}

@Suite(.enabled(if: Scene.isService("prompt-dismiss"))) struct FakePromptDismissTests {
  @Test func `a dismissed prompt is said to be dismissed`() async throws {
    let keyring = try Scene.keyring()
    await #expect(throws: KeyringError.dismissed) { try await keyring.unlock(Scene.query.key) }
  }
}

@Suite(.enabled(if: Scene.isService("prompt-dead"))) struct FakePromptDeadTests {
  @Test func `D3 a prompt that never ends is over after its time, and the next one is shown`() async throws {
    let keyring = try Scene.keyring(promptLimit: .milliseconds(500))
    for _ in 0..<2 {
      await #expect(throws: KeyringError.dismissed) { try await keyring.unlock(Scene.query.key) }
    }
  }
}

@Suite(.serialized, .enabled(if: Scene.isService("prompt-hang"))) struct FakePromptHangTests {
  @Test func `while a prompt is open other calls answer at once`() async throws {
    let keyring = try Scene.keyring()
    let asking = Task { try await keyring.unlock(Scene.query.key) }
    await Scene.prompts(1)
    let start = ContinuousClock.now
    for _ in 0..<20 { #expect(await keyring.availability() == .locked) }
    #expect(ContinuousClock.now - start < .seconds(1))
    asking.cancel()
    _ = await asking.result
  }

  @Test func `the last who leaves closes the prompt, and each is told at once`() async throws {
    let keyring = try Scene.keyring(promptLimit: .seconds(1))
    let asking = (0..<3).map { _ in Task { try await keyring.unlock(Scene.query.key) } }
    await Scene.prompts(2)
    for task in asking {
      task.cancel()
      await #expect(throws: KeyringError.dismissed) { try await task.value }
    }
    // The next one is shown after the last one was closed, and ends with its time.
    await #expect(throws: KeyringError.dismissed) { try await keyring.unlock(Scene.query.key) }
    #expect(await keyring.availability() == .locked)
  }
}
