import Configuration
import Glibc
import Testing
import Vault

/// The issuers that come with Almoner, as files.
@Suite struct PresetTests {
  private static let names = ["github", "google", "microsoft"]
  private let tree: String

  init() {
    // ALMONER_TREE: where a copy of the tree is that an unprivileged user can read.
    tree =
      unsafe getenv("ALMONER_TREE").map { unsafe String(cString: $0) }
      ?? "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  private func load(_ texts: String...) throws -> LoadedConfiguration {
    let root = try TemporaryDirectory()
    for name in ["almoner", "almoner/almoner.conf.d"] { try root.makeDirectory(name) }
    for (number, text) in texts.enumerated() { try root.write("almoner/almoner.conf.d/\(number).conf", text) }
    for name in ["share", "share/almoner"] { try root.makeDirectory(name) }
    try #require(unsafe symlink(tree + "/Sources/Configuration/Presets", root.path + "/share/almoner/presets") == 0)
    let base = try #require(
      BaseDirectories(
        environment: ["HOME": root.path, "XDG_CONFIG_HOME": root.path, "XDG_DATA_DIRS": root.path + "/share"]))
    return ConfigurationFiles(system: "/nowhere/etc", base).load()
  }

  @Test func `every preset is sound and none is an issuer before somebody names it`() throws {
    let loaded = try load()
    #expect(loaded.problems.isEmpty && loaded.configuration.issuers.isEmpty && loaded.files.isEmpty)
    #expect(loaded.configuration.presets.keys.sorted() == Self.names)
  }

  @Test(arguments: names)
  func `a sign-in may name a preset`(name: String) throws {
    let configuration = try load().configuration
    let plan = try configuration.plan(SignInWish(issuer: name, clientID: "me"), existing: nil)
    #expect(plan.issuer.name == name && plan.issuer.clientID == "me" && plan.issuer.environment == .live)
    #expect(!plan.redirectURI.isEmpty && !plan.scopes.isEmpty)
  }

  @Test func `what a configuration file says is added to the preset and counts more`() throws {
    let loaded = try load("[issuer google]\nclient-id=me\nscopes=openid\nclient-secret-file=/etc/almoner/secret")
    let google = try #require(loaded.configuration.issuers["google"])
    #expect(google.profile.identifier == "https://accounts.google.com" && google.profile.clientID == "me")
    #expect(google.scopes == ["openid"] && google.profile.options.clientSecretFile == "/etc/almoner/secret")
    #expect(loaded.configuration.presets.keys.sorted() == ["github", "microsoft"])
  }

  @Test func `an account may be at a preset`() throws {
    let loaded = try load("[account home]\nissuer=github")
    #expect(loaded.problems.isEmpty)
    let plan = try loaded.configuration.plan(SignInWish(account: "home", clientID: "me"), existing: nil)
    #expect(plan.issuer.identifier == "https://github.com/login/oauth")
  }

  @Test func `one issuer that is configured is still the only one`() throws {
    let loaded = try load("[issuer work]\nkind=openid\nissuer=https://login.example.org\nclient-id=me")
    #expect(try loaded.configuration.plan(SignInWish(), existing: nil).issuer.name == "work")
  }
}
