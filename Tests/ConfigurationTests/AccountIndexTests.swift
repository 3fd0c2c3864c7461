import Configuration
import Exchange
import Glibc
import OAuth
import Testing
import Vault

private func account(
  _ digit: Character, _ name: String, _ change: (inout IssuerProfile) -> Void = { _ in }
) throws -> Account {
  var issuer = IssuerProfile(
    name: "localhost:8080", kind: "didit", identifier: "http://localhost:8080", environment: .sandbox,
    clientID: "0d4f", egress: EgressPolicy(caFile: "/ca.pem", proxy: "http://p:1", plainLoopback: true),
    rotation: .didit)
  change(&issuer)
  let id = try #require(AccountID(String(repeating: digit, count: 32)))
  return Account(
    id: id, name: name, issuer: issuer, backend: .sealedFile, redirectURI: "http://localhost:1/cb",
    scopes: ["openid", "email"])
}

/// An account at an OAuth issuer of which everything is written out that can be.
private func optionalAccount(_ digit: Character, _ name: String) throws -> Account {
  var options = IssuerOptions()
  for endpoint in ServerEndpoint.allCases { options.endpoints[endpoint] = "https://x.example/\(endpoint)" }
  options.pushedAuthorization = .always
  options.resource = "urn:x:y"
  options.subjectClaim = "id"
  options.clientSecretFile = "/etc/almoner/secret"
  options.clientAuthentication = .post
  options.assumedLifetime = .seconds(7200)
  options.narrows = true
  options.dpop = true
  let profile = IssuerProfile(
    name: "x", kind: "oauth", identifier: "https://x.example", environment: .live, clientID: "me",
    egress: EgressPolicy(), rotation: .unknown, options: options)
  let plain = try account(digit, name)
  return Account(
    id: plain.id, name: name, issuer: profile, backend: plain.backend, redirectURI: plain.redirectURI,
    scopes: plain.scopes)
}

private func entry(_ account: Account, _ phase: AccountEntry.Phase) -> AccountEntry {
  AccountEntry(account: account, phase: phase)
}

private func index(_ entries: AccountEntry...) throws -> AccountIndex {
  var index = AccountIndex()
  for entry in entries { try index.put(entry) }
  return index
}

/// A state directory with an index file in it.
private struct State {
  let root: TemporaryDirectory
  let directory: PrivateDirectory
  let file: AccountIndexFile

  init() throws {
    root = try TemporaryDirectory()
    directory = try PrivateDirectory(root.path + "/almoner")
    file = AccountIndexFile(in: directory)
  }

  /// Puts something in the way of the temporary file.
  func refuseReplacing() throws { try #require(unsafe mkdir("\(directory.path)/.accounts.conf.new", 0o700) == 0) }

  func text() -> String { root.read("almoner/accounts.conf") ?? "" }
  func names() -> [String] { root.names(in: "almoner") }
}

@Suite struct AccountIndexTests {
  @Test func `an account comes back as it was saved`() throws {
    let state = try State()
    let saved = try index(
      entry(account("a", "home"), .signedIn),
      entry(
        account("b", "work") {
          $0.clientID = nil
          $0.egress.caFile = nil
          $0.egress.proxy = nil
          $0.rotation.grace = .window(.seconds(90))
        }, .pending),
      AccountEntry(
        account: account("e", "home"), phase: .pending, renews: AccountID(String(repeating: "a", count: 32))),
      entry(account("c", "x") { $0.rotation.grace = .untilUsed }, .signingOut),
      entry(optionalAccount("d", "y"), .signedIn))
    try state.file.save(saved)
    #expect(try state.file.load().index == saved)
  }

  @Test func `without a file there are no accounts and no problems`() throws {
    let loaded = try State().file.load()
    #expect(loaded.index == AccountIndex() && loaded.problems.isEmpty && loaded.damagedCopy == nil)
  }

  @Test func `an empty index is saved and read`() throws {
    let state = try State()
    try state.file.save(AccountIndex())
    #expect(try state.file.load().problems.isEmpty)
  }

  @Test func `the file is ours alone and no temporary file is left`() throws {
    let state = try State()
    try state.file.save(AccountIndex())
    #expect(state.root.mode(of: "almoner/accounts.conf") == 0o600 && state.names() == ["accounts.conf"])
  }

  @Test func `what a crash left of a save is no hindrance`() throws {
    let state = try State()
    try state.root.write("almoner/.accounts.conf.new", "half")
    try state.file.save(AccountIndex())
    #expect(state.names() == ["accounts.conf"])
  }

  @Test func `where the index cannot be replaced a sign-out is marked all the same`() throws {
    let state = try State()
    try state.file.save(index(AccountEntry(account: account("a", "home"), phase: .signedIn)))
    try state.refuseReplacing()
    try state.file.save(index(AccountEntry(account: account("a", "home"), phase: .signingOut)))
    #expect(state.text().contains("standing=signed-in"))
    #expect(try state.file.load().index.entries.map(\.phase) == [.signingOut])
  }

  @Test func `where the index cannot be replaced nothing else is kept`() throws {
    let state = try State()
    let before = try index(AccountEntry(account: account("a", "home"), phase: .signedIn))
    let other = try index(AccountEntry(account: account("b", "work"), phase: .signedIn))
    try state.file.save(before)
    try state.refuseReplacing()
    #expect(throws: StateError.self) { try state.file.save(other) }
    #expect(throws: StateError.self) { try state.file.save(AccountIndex()) }
    #expect(try state.file.load().index == before)
  }

  @Test func `a mark goes when the index is written, and its room with the last account`() throws {
    let state = try State()
    let home = try account("a", "home")
    try state.file.save(index(AccountEntry(account: home, phase: .signedIn)))
    try state.refuseReplacing()
    try state.file.save(index(AccountEntry(account: home, phase: .signingOut)))
    unsafe rmdir("\(state.directory.path)/.accounts.conf.new")
    try state.file.save(index(AccountEntry(account: account("b", "work"), phase: .signedIn)))
    #expect(state.root.read("almoner/signing-out")?.utf8.allSatisfy { $0 == 0 } == true)
    try state.file.save(AccountIndex())
    #expect(state.names() == ["accounts.conf"])
  }

  @Test func `a damaged account is left out, the others stay, and the file is kept`() throws {
    let state = try State()
    try state.file.save(
      index(entry(account("a", "home"), .signedIn), entry(account("b", "work"), .signedIn)))
    let damaged = state.text().replacing("[account bbbb", with: "[account Bbbb")
    try state.root.write("almoner/accounts.conf", damaged)
    let loaded = try state.file.load()
    try state.file.save(loaded.index)
    #expect(loaded.index.entries.map(\.account.name) == ["home"])
    #expect(loaded.problems.map(\.group?.label?.first) == ["B"])
    #expect(state.root.read("almoner/accounts.conf.damaged-1") == damaged)
  }

  @Test func `reading a damaged file twice keeps it once`() throws {
    let state = try State()
    try state.root.write("almoner/accounts.conf", "odd")
    _ = try state.file.load()
    _ = try state.file.load()
    #expect(state.names() == ["accounts.conf", "accounts.conf.damaged-1"])
  }

  @Test func `every truncation of the file is noticed or harmless`() throws {
    let state = try State()
    try state.file.save(index(entry(account("a", "home"), .signedIn)))
    let whole = state.text()
    let start = whole.utf8.count - 40
    for length in start..<(whole.utf8.count - 1) {
      try state.root.write("almoner/accounts.conf", String(whole.prefix(length)))
      let loaded = try? state.file.load()
      #expect(loaded?.index.entries.count == 1 || loaded?.problems.isEmpty == false)
      unsafe unlink("\(state.directory.path)/accounts.conf.damaged-1")
    }
  }

  @Test func `no changed byte brings an account that breaks the rules`() throws {
    let state = try State()
    try state.file.save(index(entry(account("a", "home"), .signedIn)))
    let whole = Array(state.text().utf8)
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= 0x01
      try state.root.write("almoner/accounts.conf", String(decoding: bytes, as: UTF8.self))
      let loaded = try? state.file.load()
      for entry in loaded?.index.entries ?? [] {
        #expect(AccountName.isValid(entry.account.name) && !(entry.account.issuer.identifier.contains("\n")))
      }
      unsafe unlink("\(state.directory.path)/accounts.conf.damaged-1")
    }
  }

  @Test func `a file of a newer version is refused and left alone`() throws {
    let state = try State()
    try state.root.write("almoner/accounts.conf", "[index]\nversion=2\n[moon]\n")
    #expect(throws: StateError.newerFormat(path: state.directory.path + "/accounts.conf")) { try state.file.load() }
    #expect(state.names() == ["accounts.conf"])
  }

  @Test func `two signed-in accounts of one name are a problem`() throws {
    let state = try State()
    try state.file.save(
      index(entry(account("a", "home"), .signedIn), entry(account("b", "work"), .signedIn)))
    try state.root.write("almoner/accounts.conf", state.text().replacing("name=work", with: "name=home"))
    #expect(try state.file.load().problems.map(\.key) == ["name"])
  }

  @Test func `an account may be coming under the name of one that is there`() throws {
    let state = try State()
    let saved = try index(
      entry(account("a", "home"), .signedIn), entry(account("b", "home"), .pending))
    try state.file.save(saved)
    #expect(try state.file.load().index == saved)
  }

  @Test func `plain http with a live account is a problem`() throws {
    let state = try State()
    try state.file.save(index(entry(account("a", "home"), .signedIn)))
    try state.root.write("almoner/accounts.conf", state.text().replacing("=sandbox", with: "=live"))
    #expect(try state.file.load().problems.map(\.key) == ["environment"])
  }

  @Test(arguments: [0o644, 0o620] as [mode_t])
  func `a file that others may open is refused`(mode: mode_t) throws {
    let state = try State()
    try state.root.write("almoner/accounts.conf", "", mode: mode)
    #expect(throws: StateError.self) { try state.file.load() }
  }

  @Test func `a symbolic link in its place is refused`() throws {
    let state = try State()
    try state.root.write("other", "[index]\nversion=1\n")
    try state.root.link("almoner/accounts.conf", to: state.root.path + "/other")
    #expect(
      throws: StateError.untrusted(path: state.directory.path + "/accounts.conf", why: "it is a symbolic link")
    ) { try state.file.load() }
  }

  @Test func `nothing is written into a directory that others may open`() throws {
    let state = try State()
    try state.root.setMode("almoner", 0o777)
    #expect(throws: StateError.self) { try state.file.save(AccountIndex()) }
    #expect(state.names() == [])
  }

  @Test func `a name belongs to one signed-in account`() throws {
    var index = try index(entry(account("a", "home"), .signedIn))
    #expect(throws: StateError.conflict("another account is named home")) {
      try index.put(entry(account("b", "home"), .signedIn))
    }
  }

  @Test func `putting an account again replaces it`() throws {
    var index = try index(entry(account("a", "home"), .pending))
    try index.put(entry(account("a", "house"), .signedIn))
    #expect(index.entries.map(\.account.name) == ["house"])
  }

  @Test func `a thousand accounts come back`() throws {
    let state = try State()
    let index = try many(1000)
    try state.file.save(index)
    let loaded = try state.file.load()
    #expect(loaded.problems == [])
    #expect(loaded.index == index)
    #expect(index.entries.map(\.account.name) == index.entries.map(\.account.name).sorted())
  }

  @Test func `more accounts than can be read again are not saved`() throws {
    let state = try State()
    try state.file.save(try many(1))
    let scopes = (0..<10).map { String(repeating: "s", count: 90) + "\($0)" }
    #expect(throws: StateError.self) { try state.file.save(try many(4000, scopes: scopes)) }
    #expect(try state.file.load().index.entries.count == 1)
  }

  private func many(_ count: Int, scopes: [String] = []) throws -> AccountIndex {
    let one = try account("a", "home")
    var index = AccountIndex()
    for number in 0..<count {
      let digits = String(number)
      let id = try #require(AccountID(String(repeating: "0", count: 32 - digits.count) + digits))
      // Not in the order of their names.
      let name = "account-\(number * 7919 % 10_007)"
      try index.put(
        AccountEntry(
          account: Account(
            id: id, name: name, issuer: one.issuer, backend: .sealedFile, redirectURI: one.redirectURI,
            scopes: scopes), phase: .signedIn))
    }
    return index
  }

  @Test func `a removed account is gone`() throws {
    let gone = try entry(account("a", "home"), .signedIn)
    var index = try index(gone)
    index.remove(gone.account.id)
    #expect(index.entries.isEmpty)
  }
}
