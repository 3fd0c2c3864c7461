import Commands
import Testing
import Wire

@Suite struct DaemonFindingsTests {
  private func finding(_ state: Wire.AccountState, _ detail: String?, renews: Bool = true) throws -> Finding {
    let account = Wire.Account(
      id: "0123456789abcdef0123456789abcdef", name: "work", issuer: "https://a.example", kind: "didit",
      environment: "live", store: "secret-service", state: state, detail: detail, renews: renews)
    let status = Wire.Status.Reply(
      version: "0", pid: 1, locked: false, memoryLocked: true, confined: true, accounts: [account], notes: [])
    return try #require(DaemonFindings(status).all.first { $0.subject == "account work" })
  }

  @Test func `an account whose last refresh failed needs attention, though it is signed in`() throws {
    #expect(try finding(.signedIn, nil).isWell)
    #expect(try !finding(.signedIn, "no route").isWell)
  }

  @Test func `that an account is never renewed needs none`() throws {
    #expect(try finding(.signedIn, "will not renew", renews: false).isWell)
  }
}
