import OAuth
import SignIn
import Synchronization
import Testing
import Time
import Vault

/// A browser that comes back to a relay page, whose handler knows no attempt's name.
@Suite struct RelayTests {
  private static let redirect = "https://app.example.test/signed-in"

  private func begin(_ office: Office, _ name: String = "work") async throws -> SignInDesk.Opened {
    try await office.begin(name, flow: .relay, redirect: Self.redirect)
  }

  private func complete(_ office: Office, _ query: String, at redirect: String = redirect) async throws(VaultError) {
    try await office.desk.complete(nil, redirectedURL: secret("\(redirect)?\(query)"))
  }

  @Test func `A1 the state says which of two sign-ins is meant`() async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let first = try await begin(office, "first")
    let second = try await begin(office, "second")
    try await complete(office, "code=c&state=\(second.state)")
    #expect(try await office.desk.outcome(second.attempt).account.name == "second")
    office.issuer.state.withLock { $0.person = "grace" }
    office.carrier.next(.land(200, "ok 2 300"))
    try await complete(office, "code=d&state=\(first.state)")
    #expect(try await office.desk.outcome(first.attempt).account.name == "first")
  }

  @Test(arguments: [
    ("code=c&state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", redirect), ("code=c", redirect),
    ("state=STATE", redirect), ("code=c&code=d&state=STATE", redirect), ("code=c&state=STATE&state=STATE", redirect),
    ("code=%zz&state=STATE", redirect), ("code=%0a&state=STATE", redirect),
    ("code=c&state=STATE&iss=https://other.test", redirect),
    ("code=c&state=STATE", "https://evil.example.test/signed-in"),
    ("code=c&state=STATE", "https://app.example.test/other"),
    ("code=c&state=STATE", "http://app.example.test/signed-in"),
    ("code=c&state=STATE", "https://app.example.test:444/signed-in"), ("code=c&state=STATE", Office.redirect),
  ])
  func `what a stranger hands over changes nothing and the right answer still works`(
    _ query: String, _ redirect: String
  ) async throws {
    let office = try Office()
    office.carrier.next(.land(200, "ok 1 300"))
    let opened = try await begin(office)
    let parts = query.split(separator: "STATE", omittingEmptySubsequences: false)
    let error = await #expect(throws: VaultError.self) {
      try await complete(office, parts.joined(separator: opened.state), at: redirect)
    }
    #expect(error?.field == "redirectedUrl" && office.carrier.sent == [])
    try await complete(office, "code=c&state=\(opened.state)")
    _ = try await office.desk.outcome(opened.attempt)
  }

  @Test func `A2 an answer that is handed over twice is redeemed once`() async throws {
    let office = try Office()
    office.carrier.next(.landUnheard("ok 1 300"))
    let opened = try await begin(office)
    try await complete(office, "code=c&state=\(opened.state)")
    await office.carrier.landedUnheard()
    let error = await #expect(throws: VaultError.self) { try await complete(office, "code=c&state=\(opened.state)") }
    #expect(error?.field == "attempt" && office.carrier.sent == ["c"])
    office.carrier.bury()
  }

  @Test func `A6 an answer that comes after the sign-in ended is told, and asks nobody`() async throws {
    let office = try Office()
    let opened = try await begin(office)
    let events = office.vault.hub.watch()
    await office.desk.cancel(opened)
    let error = await #expect(throws: VaultError.self) { try await complete(office, "code=c&state=\(opened.state)") }
    #expect(error?.field == "redirectedUrl" && office.carrier.sent == [] && office.shelf.isEmpty)
    #expect(await office.events(events).map(\.kind) == [.callbackRejected])
  }
}
