import EventLoop
import Exchange
import Testing
import Time
import Vault

/// Which account a caller's word means, among several.
@Suite struct AccountPlacesTests {
  private static let ids = (0..<3).map { String(repeating: "\($0)", count: 32) }
  private static let thread = Result { try LoopThread(name: "places-test") }

  @Test func `a name and an id mean one account`() async throws {
    let vault = try vault([("work", .signedIn), ("home", .signedIn)])
    #expect(try await vault.account("home").id.text == Self.ids[1])
    #expect(try await vault.account(Self.ids[0]).name == "work")
    #expect(try await vault.session("home").id.text == Self.ids[1])
  }

  @Test func `the first of two meanings counts`() async throws {
    let vault = try vault([("work", .signedIn), (Self.ids[0], .signedIn)])
    #expect(try await vault.account(Self.ids[0]).name == "work")
  }

  @Test func `without a word the only account is meant, if there is only one`() async throws {
    let one = try vault([("old", .signingOut), ("work", .signedIn), ("new", .pending)])
    #expect(try await one.account(nil).name == "work")
    let two = try vault([("work", .signedIn), ("home", .signedIn)])
    await #expect(throws: VaultError.badRequest(field: "account", message: "name one of: work, home")) {
      try await two.account(nil)
    }
  }

  @Test func `who is signing in or out is nobody`() async throws {
    let vault = try vault([("old", .signingOut), ("new", .pending), ("work", .signedIn)])
    for name in ["old", "new", Self.ids[0], ""] {
      await #expect(throws: VaultError.unknownAccount(name)) { try await vault.account(name) }
    }
  }

  @Test func `an issuer means its only account`() async throws {
    let vault = try vault([("work", .signedIn), ("old", .signingOut)])
    #expect(try await vault.account("https://issuer.test/").name == "work")
  }

  private func vault(_ accounts: [(String, AccountEntry.Phase)]) throws -> Vault {
    let profile = IssuerProfile(
      name: "test", kind: "didit", identifier: "https://issuer.test", environment: .live, clientID: nil,
      egress: EgressPolicy(), rotation: .didit)
    let entries = try zip(Self.ids, accounts).map { id, account in
      AccountEntry(
        account: Account(
          id: try #require(AccountID(id)), name: account.0, issuer: profile, backend: .secretService),
        phase: account.1)
    }
    let journal = MemoryJournal()
    let clock = ManualClock()
    let tools = SessionTools(
      clock: clock, carrier: ScriptedCarrier(journal: journal, clock: clock), journal: journal,
      stores: [.secretService: MemoryStore()], directory: MemoryIndex(), makeIssuer: { PlainIssuer($0) },
      machine: "machine", user: 1000, executor: try Self.thread.get().loop)
    return Vault(entries, tools: tools, forceInterval: .seconds(30))
  }
}
