import Secrets
import Synchronization
import Testing
import Vault

@Suite struct StraysTests {
  @Test func `what a store keeps of no account is a stray, and what it keeps of one is not`() async throws {
    let world = try World(hasHome: true)
    #expect(await world.vault.strays().isEmpty)
    let left = try #require(AccountID("00000000000000000000000000000000"))
    world.store.state.withLock { $0.kept[left] = secret("left over") }
    let strays = await world.vault.strays()
    #expect(strays.map(\.backend) == [.secretService])
    #expect(strays.map(\.record) == [KeptRecord(account: left.text, label: "label of \(left.text)")])
    // Looking reads no secret.
    #expect(world.store.state.withLock { $0.loads } == 0)
  }

  @Test(arguments: [AccountEntry.Phase.pending, .signingOut])
  func `an account that comes or goes is none`(phase: AccountEntry.Phase) async throws {
    let world = try World(phase: phase)
    #expect(await world.vault.strays().isEmpty)
    #expect(world.store.state.withLock { $0.kept.count } == 1)
  }

  @Test func `a store that is locked is not looked into, and the other one is`() async throws {
    let world = try World(hasHome: true)
    let left = try #require(AccountID("00000000000000000000000000000000"))
    for store in [world.store, world.sealed] { store.state.withLock { $0.kept[left] = secret("left over") } }
    world.store.set(.locked)
    #expect(await world.vault.strays().map(\.backend) == [.sealedFile])
  }
}
