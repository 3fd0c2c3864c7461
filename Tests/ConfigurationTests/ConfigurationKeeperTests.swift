import Configuration
import Testing
import Vault

private let good = load("[refresh]\nforce-interval=1m")
private let other = load("[refresh]\nforce-interval=2m")
private let broken = load("[refresh]\nforce-interval=3m\nodd")

@Suite struct ConfigurationKeeperTests {
  @Test func `a first load with problems is used as far as it goes`() {
    #expect(ConfigurationKeeper(broken).problems.count == 1)
  }

  @Test func `a sound reload is applied`() {
    var keeper = ConfigurationKeeper(good)
    #expect(keeper.reloaded(other) == .apply)
    #expect(keeper.configuration == other.configuration)
  }

  @Test func `a reload that says the same changes nothing`() {
    var keeper = ConfigurationKeeper(good)
    #expect(keeper.reloaded(good) == .nothing)
  }

  @Test func `a broken reload leaves the last good one in force`() {
    var keeper = ConfigurationKeeper(good)
    #expect(keeper.reloaded(broken) == .keepOld)
    #expect(keeper.configuration == good.configuration && keeper.problems == broken.problems)
  }

  @Test func `mending the file clears the problems`() {
    var keeper = ConfigurationKeeper(good)
    _ = keeper.reloaded(broken)
    #expect(keeper.reloaded(good) == .nothing)
    #expect(keeper.problems.isEmpty)
  }
}

@Suite struct SignInByConfigurationTests {
  private let unsound = load(
    "[issuer there]\nkind=openid\n[account desk]\nissuer=there\nstore=drawer\n[refresh]\nodd=1")

  @Test(
    arguments: [
      (SignInWish(account: "desk"), "1.conf:5: [account desk] store"),
      (SignInWish(issuer: "there"), "1.conf:1: [issuer there]"),
    ])
  func `a name that stands in an unsound group is told with file, line and what is wrong, its own group first`(
    wish: SignInWish, problem: String
  ) {
    #expect {
      _ = try ConfigurationKeeper(unsound).plan(wish, existing: nil)
    } throws: { error in
      guard case .misconfigured(nil, let message) = error as? VaultError else { return false }
      return message.hasPrefix("the configuration is not sound: \(problem)")
        && message.contains("1.conf:1: [issuer there] issuer: is missing")
    }
  }

  @Test func `the address of an issuer has nothing to do with what is unsound`() {
    #expect(throws: VaultError.badRequest(field: "clientId", message: "an OAuth or OpenID issuer needs a client id")) {
      _ = try ConfigurationKeeper(unsound).plan(SignInWish(issuer: "https://a.example"), existing: nil)
    }
  }
}

@Suite struct ConfigurationCheckTests {
  @Test func `mistakes of meaning are told beside mistakes of the lines, but not what may follow from them`() {
    let loaded = load("[issuer a]\nissue=https://a.example\nkind=openid\n[store]\ndefault=drawer", "[refresh]\nodd")
    #expect(
      loaded.problems.map(\.description) == [
        "1.conf:2: [issuer a] issue: there is no such key", "2.conf:2: [refresh]: the line is no KEY=VALUE",
        "1.conf:5: [store] default: must be secret-service or sealed-file",
      ])
  }

  @Test func `a broken configuration is reported line by line`() {
    let check = ConfigurationCheck(load("[refresh]\nodd\ncolour=x"))
    let report = """
      1.conf:2: [refresh]: the line is no KEY=VALUE
      1.conf:3: [refresh] colour: there is no such key
      2 problems. A running daemon goes on with the last configuration without any.

      """
    #expect(!check.isSound && check.report == report)
  }

  @Test func `a sound configuration is summed up`() {
    let check = ConfigurationCheck(
      load("[issuer work]\nkind=openid\nissuer=https://login.example.org\n[account me]\nissuer=work"))
    let report = """
      Read 1.conf.
      Issuer work: openid, live, https://login.example.org.
      Account me: issuer work, store secret-service.
      New accounts: store secret-service.
      The configuration is sound.

      """
    #expect(check.isSound && check.report == report)
  }

  @Test func `no file at all is sound`() {
    #expect(ConfigurationCheck(load()).isSound)
  }
}
