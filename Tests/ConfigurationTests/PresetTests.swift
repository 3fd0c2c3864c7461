import Configuration
import Glibc
import Testing
import Vault

/// The issuers that come with Almoner, as files. Whatever lies in their directory is tried.
@Suite struct PresetTests {
  private static let presets = directory("Configuration/Presets")
  private static let names = files(presets).map { String($0.dropLast(".conf".count)) }.sorted()

  /// ALMONER_TREE: where a copy of the tree is that an unprivileged user can read.
  private static func directory(_ part: String) -> String {
    let tree =
      unsafe getenv("ALMONER_TREE").map { unsafe String(cString: $0) }
      ?? "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return tree + "/Sources/" + part
  }

  private func load(_ texts: String..., presets: String = presets) throws -> LoadedConfiguration {
    let root = try TemporaryDirectory()
    for name in ["almoner", "almoner/almoner.conf.d"] { try root.makeDirectory(name) }
    for (number, text) in texts.enumerated() { try root.write("almoner/almoner.conf.d/\(number).conf", text) }
    for name in ["share", "share/almoner"] { try root.makeDirectory(name) }
    try #require(unsafe symlink(presets, root.path + "/share/almoner/presets") == 0)
    let base = try #require(
      BaseDirectories(
        environment: ["HOME": root.path, "XDG_CONFIG_HOME": root.path, "XDG_DATA_DIRS": root.path + "/share"]))
    return ConfigurationFiles(system: "/nowhere/etc", base).load()
  }

  @Test func `every preset is sound and none is an issuer before somebody names it`() throws {
    let loaded = try load()
    #expect(loaded.problems.isEmpty && loaded.configuration.issuers.isEmpty && loaded.files.isEmpty)
    #expect(loaded.configuration.presets.keys.sorted() == Self.names)
    #expect(Set(Self.names).isSuperset(of: ["github", "google", "microsoft"]))
  }

  @Test(arguments: names)
  func `it says whether it was tried, and where what it says is published`(name: String) throws {
    let text = try contents(Self.presets + "/\(name).conf")
    #expect(shortcomings(of: text, named: name) == [])
  }

  @Test(
    arguments: [
      ("# Not tried against the vendor\n# https://a.example/\n[issuer a]\nkind=oauth", []),
      ("# https://a.example/\n[issuer a]", ["tried"]),
      ("# Not tried against the vendor\n[issuer a]\nissuer=https://a.example", ["source"]),
      ("# Not tried against the vendor: https://a.example\n[issuer b]", ["name"]),
      ("# Not tried against the vendor: https://a.example\n[issuer a]\n[issuer b]", ["name"]),
      ("", ["tried", "source", "name"]),
    ])
  func `what a preset lacks is noticed`(text: String, lacks: [String]) {
    #expect(shortcomings(of: text, named: "a") == lacks)
  }

  @Test func `one more file is one more preset, and nothing else has to know of it`() throws {
    let directory = try TemporaryDirectory()
    for name in Self.names { try directory.write("\(name).conf", contents(Self.presets + "/\(name).conf")) }
    try directory.write(
      "parlour.conf",
      "# Not tried against the vendor: https://docs.parlour.example\n[issuer parlour]\nkind=openid\n"
        + "issuer=https://parlour.example\nscopes=openid\n")
    let loaded = try load(presets: directory.path)
    #expect(loaded.problems.isEmpty)
    #expect(loaded.configuration.presets.keys.sorted() == (Self.names + ["parlour"]).sorted())
    let plan = try loaded.configuration.plan(SignInWish(issuer: "parlour", clientID: "me"), existing: nil)
    #expect(plan.issuer.identifier == "https://parlour.example" && plan.scopes == ["openid"])
  }

  @Test(arguments: names)
  func `a sign-in may name a preset`(name: String) throws {
    let configuration = try load("[issuer \(name)]\nclient-secret-file=/etc/almoner/secret").configuration
    let plan = try configuration.plan(SignInWish(issuer: name, clientID: "me"), existing: nil)
    #expect(plan.issuer.name == name && plan.issuer.clientID == "me" && plan.issuer.environment == .live)
    #expect(!plan.redirectURI.isEmpty && !plan.scopes.isEmpty)
  }

  @Test func `what a configuration file says is added to the preset and counts more`() throws {
    let loaded = try load("[issuer google]\nclient-id=me\nscopes=openid\nclient-secret-file=/etc/almoner/secret")
    let google = try #require(loaded.configuration.issuers["google"])
    #expect(google.profile.identifier == "https://accounts.google.com" && google.profile.clientID == "me")
    #expect(google.scopes == ["openid"] && google.profile.options.clientSecretFile == "/etc/almoner/secret")
    #expect(loaded.configuration.presets.keys.sorted() == Self.names.filter { $0 != "google" })
  }

  @Test func `an account may be at a preset`() throws {
    let loaded = try load("[account home]\nissuer=github\n[issuer github]\nclient-secret-file=/etc/almoner/secret")
    #expect(loaded.problems.isEmpty)
    let plan = try loaded.configuration.plan(SignInWish(account: "home", clientID: "me"), existing: nil)
    #expect(plan.issuer.identifier == "https://github.com/login/oauth")
  }

  @Test(
    arguments: [
      ("google", nil, "client-id= and client-secret-file=", "https://console.cloud.google.com/"),
      ("github", "me", "write client-secret-file=", "https://github.com/settings/developers"),
      ("microsoft", nil, "write client-id= under", "https://entra.microsoft.com/"),
    ] as [(String, String?, String, String)])
  func `without a client of its own a preset says what to write and where to get it`(
    name: String, clientID: String?, missing: String, page: String
  ) throws {
    let configuration = try load().configuration
    #expect {
      _ = try configuration.plan(SignInWish(issuer: name, clientID: clientID), existing: nil)
    } throws: { error in
      guard case .badRequest(field: "clientId", let message) = error as? VaultError else { return false }
      return [missing, page, "[issuer \(name)]", "almoner.conf"].allSatisfy(message.contains)
    }
  }

  @Test func `a client without the secret that its issuer demands is a mistake of the file that names it`() throws {
    let problem = try #require(try load("[issuer google]\nclient-id=me").problems.first)
    #expect(problem.description.hasSuffix("0.conf:1: [issuer google] client-secret-file: is missing"))
  }

  @Test func `one issuer that is configured is still the only one`() throws {
    let loaded = try load("[issuer work]\nkind=openid\nissuer=https://login.example.org\nclient-id=me")
    #expect(try loaded.configuration.plan(SignInWish(), existing: nil).issuer.name == "work")
  }
}

/// What a preset of this name lacks beside being a sound configuration: the word whether anybody tried it, the address
/// where what it says is published, and one group of the file's own name.
private func shortcomings(of text: String, named name: String) -> [String] {
  let lines = text.split(separator: "\n")
  let remarks = lines.filter { $0.hasPrefix("#") }
  let groups = lines.filter { $0.hasPrefix("[") }
  return [
    remarks.contains { $0.contains("ried against the vendor") } ? nil : "tried",
    remarks.contains { $0.contains("https://") } ? nil : "source",
    groups == ["[issuer \(name)]"] ? nil : "name",
  ].compactMap(\.self)
}

/// The names of the configuration files in a directory.
private func files(_ directory: String) -> [String] {
  guard let stream = unsafe opendir(directory) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name.hasSuffix(".conf") { names.append(name) }
  }
  return names
}

private func contents(_ path: String) throws -> String {
  let file = unsafe open(path, O_RDONLY)
  try #require(file >= 0)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = unsafe read(file, &bytes, bytes.count)
  try #require(count > 0 && count < bytes.count)
  return String(decoding: bytes[..<count], as: UTF8.self)
}
