import Secrets
import Testing
import Wire

@Suite struct OutputTests {
  private let work = Wire.Account(
    id: "1", name: "work", issuer: "https://a.example", kind: "didit", environment: "live", store: "secret-service",
    state: .signedIn, expiresIn: 252, generation: 3, renews: true)
  private let home = Wire.Account(
    id: "2", name: "home", issuer: "https://b.example", kind: "openid", environment: "live", store: "sealed-file",
    state: .locked, detail: "the passphrase is not known", renews: false)

  private func status(
    _ accounts: [Wire.Account], notes: [String] = [], strays: [Wire.Stray]? = nil
  ) -> [UInt8] {
    frame(
      Wire.Status.Reply(
        version: "0.1.0", pid: 42, locked: false, memoryLocked: true, confined: true, accounts: accounts, notes: notes,
        strays: strays))
  }

  @Test func `list shows an account a line`() throws {
    let run = try CommandRun("list", [frame(Wire.List.Reply(accounts: [work, home]))])
    #expect(
      run.output == """
        work  signed in  https://a.example  expires in 4m 12s
        home  locked     https://b.example

        """)
  }

  @Test func `an empty list is no answer`() throws {
    let run = try CommandRun("list", [frame(Wire.List.Reply(accounts: []))])
    #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("almoner login"))
  }

  @Test func `status shows the daemon, its notes and what is kept where`() throws {
    let run = try CommandRun("status", [status([home], notes: ["the keyring does not answer"])])
    #expect(
      run.output == """
        almonerd 0.1.0, pid 42: unlocked, memory locked, children confined
        note: the keyring does not answer

        home  locked  https://b.example
          openid, live, kept in sealed-file
          The issuer granted no refresh token: this sign-in will not be renewed.
          the passphrase is not known

        """)
  }

  @Test func `identity shows the claims`() throws {
    let reply = Wire.GetIdentity.Reply(
      account: "work", issuer: "https://a.example", subject: "s1",
      claims: [.init(name: "sub", value: "s1"), .init(name: "email", value: "ada@a.example")])
    let run = try CommandRun("identity work", [frame(reply)])
    #expect(
      run.output == "account  work\nissuer   https://a.example\nsubject  s1\nemail    ada@a.example\n")
  }

  @Test(arguments: [(true, 0), (false, 3)] as [(Bool, Int32)])
  func `session says whether it is alive`(isActive: Bool, status: Int32) throws {
    let reply = Wire.CheckSession.Reply(account: "work", active: isActive, checkedAgo: 61, claims: [])
    let run = try CommandRun("session", [frame(reply)])
    #expect(run.status == status && run.output.hasPrefix("work: the session is "))
    #expect(run.output.contains("not active") != isActive && run.output.contains("asked 1m 1s ago"))
  }

  @Test func `session shows an instant as a time, and as it came in JSON`() throws {
    let claims = [Wire.Claim(name: "expires_at", value: "1795000000"), Wire.Claim(name: "exp", value: "soon")]
    let reply = Wire.CheckSession.Reply(account: "work", active: true, checkedAgo: 1, claims: claims)
    let run = try CommandRun("session", [frame(reply)])
    // Any time zone.
    #expect(
      ["expires_at  2026-11-17 ", "expires_at  2026-11-18 ", "expires_at  2026-11-19 "].contains(
        where: run.output.contains))
    #expect(run.output.contains("exp         soon\n") && !run.output.contains("1795000000"))
    #expect(try CommandRun("session --json", [frame(reply)]).output.contains("\"1795000000\""))
  }

  @Test func `refresh says what came of it`() throws {
    let reply = Wire.Refresh.Reply(account: "work", generation: 4, expiresIn: 300, refreshed: true)
    #expect(try CommandRun("refresh", [frame(reply)]).output == "work: refreshed; generation 4, expires in 5m\n")
  }

  @Test func `logout says honestly what did not work, and status 4 that something is left`() throws {
    let reply = Wire.SignOut.Reply(accounts: [
      Wire.SignedOut(
        account: "work", issuer: "https://a.example", revoked: false, wiped: false, locked: true, note: "offline")
    ])
    let run = try CommandRun("logout work", [frame(reply)])
    #expect(run.status == 4 && run.errors.contains("almoner unlock work") && run.errors.contains("work: offline\n"))
    #expect(run.output == "work: signed out, session NOT ended at the issuer, NOT wiped yet\n")
  }

  @Test func `logout over trouble of the disk speaks of no unlock`() throws {
    let reply = Wire.SignOut.Reply(accounts: [
      Wire.SignedOut(account: "work", issuer: "https://a.example", revoked: true, wiped: false, note: "EIO")
    ])
    let run = try CommandRun("logout work", [frame(reply)])
    #expect(run.status == 1 && run.errors.contains("work: EIO\n") && run.errors.contains("almoner doctor"))
    #expect(!run.errors.contains("unlock"))
  }

  @Test func `a clean logout says that the browser may still be signed in`() throws {
    let reply = Wire.SignOut.Reply(accounts: [
      Wire.SignedOut(account: "work", issuer: "https://a.example", revoked: true, wiped: true)
    ])
    let run = try CommandRun("logout --all", [frame(reply)])
    #expect(run.status == 0 && run.errors == "Your browser may still be signed in at the issuer.\n")
    #expect(run.output == "work: signed out, session ended, wiped\n")
  }

  @Test(arguments: ["lock", "unlock"])
  func `lock and unlock answer nothing but in JSON`(command: String) throws {
    let run = try CommandRun(command, [frame(NoFields())])
    #expect(run.status == 0 && run.output.isEmpty)
    let json = try CommandRun("\(command) --json", [frame(NoFields())])
    #expect(json.output == "{\"format\":1,\"locked\":\(command == "lock")}\n")
  }

  @Test func `unlock never asks when nobody can answer`() throws {
    let locked = frame(.locked(account: nil, message: "locked", help: "almoner unlock"))
    let run = try CommandRun("unlock", input: "passphrase\n", [locked], [status([home])])
    #expect(run.status == 4 && run.calls.map(\.method) == ["org.almoner.Almoner.Unlock", "org.almoner.Almoner.Status"])
    #expect(run.errors.contains("asked for on a terminal") && !run.errors.contains("Try: almoner unlock"))
  }

  @Test func `monitor prints an event a line until the stream ends`() throws {
    let events = [
      frame(Wire.Monitor.Reply(event: .watching), continues: true),
      frame(Wire.Monitor.Reply(event: .refreshed, account: "work", generation: 4), continues: true),
    ]
    let run = try CommandRun("monitor", events)
    #expect(run.output == "watching\nrefreshed  work  generation 4\n" && run.status == 5)
  }

  @Test(arguments: ["work\nhome  signed in", "work\r\nx=y", "work\u{2028}x", "work\u{85}x"])
  func `E5 a name that holds a line end forges no line`(name: String) throws {
    let forged = Wire.Account(
      id: "1", name: name, issuer: "https://a.example\nx", kind: "didit", environment: "live", store: "secret-service",
      state: .signedIn, detail: "a\nb", renews: true)
    let list = try CommandRun("list", [frame(Wire.List.Reply(accounts: [forged]))])
    #expect(Self.lines(list) == 1)
    let event = frame(Wire.Monitor.Reply(event: .storageTrouble, account: name, detail: name), continues: true)
    #expect(Self.lines(try CommandRun("monitor", [event])) == 1)
    // In JSON only these two end a line; the others stand as they are within a string.
    let json = try CommandRun("monitor --json", [event]).output.unicodeScalars
    #expect(json.count { $0 == "\n" || $0 == "\r" } == 1)
    let identity = Wire.GetIdentity.Reply(
      account: name, issuer: name, subject: name, claims: [.init(name: name, value: name)])
    #expect(Self.lines(try CommandRun("identity", [frame(identity)])) == 4)
    let refresh = Wire.Refresh.Reply(account: name, generation: 4, expiresIn: 300, refreshed: true)
    #expect(Self.lines(try CommandRun("refresh", [frame(refresh)])) == 1)
  }

  private static func lines(_ run: CommandRun) -> Int {
    run.output.unicodeScalars.count { ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
  }

  @Test func `what is wrong makes doctor end with status 1`() throws {
    let run = try CommandRun("doctor", environment: ["ALMONER_SOCKET": "/run/x"], [status([home])])
    #expect(run.status == 1 && run.output.contains("FIX  account home: locked"))
  }

  @Test func `doctor names what belongs to no account, and how to remove it`() throws {
    let id = String(repeating: "0a", count: 16)
    let strays = [
      Wire.Stray(store: "secret-service", account: id, label: "Almoner: old (box)"),
      Wire.Stray(store: "sealed-file", account: id, label: "sealed/\(id).sealed"),
    ]
    let run = try CommandRun(
      "doctor", environment: ["ALMONER_SOCKET": "/run/x"], [status([work], strays: strays)])
    #expect(run.status == 1 && run.output.contains("FIX  keyring: 'Almoner: old (box)' belongs to no account here"))
    #expect(run.output.contains("secret-tool clear application org.almoner account \(id)\n"))
    #expect(run.output.contains("FIX  sealed files: 'sealed/\(id).sealed' belongs to no account here"))
  }

  @Test func `doctor shows no command with words that somebody else chose`() throws {
    let strays = [Wire.Stray(store: "secret-service", account: "x; rm -r ~", label: "a\nFIX b")]
    let run = try CommandRun(
      "doctor", environment: ["ALMONER_SOCKET": "/run/x"], [status([work], strays: strays)])
    #expect(!run.output.contains("rm -r") && !run.output.contains("secret-tool") && !run.output.contains("\nFIX b"))
  }

  @Test func `version is of this release`() throws {
    #expect(try CommandRun("version").output == "almoner 0.1.0\n")
    #expect(try CommandRun("--version").output == "almoner 0.1.0\n")
  }

  @Test func `what cannot be written is a failure`() throws {
    let run = try CommandRun("version")
    #expect(run.status == 0)
  }
}
