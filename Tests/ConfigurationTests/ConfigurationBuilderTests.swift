import Configuration
import Exchange
import OAuth
import Testing
import Vault

/// Loads texts as files `1.conf`, `2.conf`, …, the later ones counting more.
func load(_ texts: String...) -> LoadedConfiguration {
  LoadedConfiguration(
    texts.enumerated().map { number, text in
      ConfigurationFile(path: "\(number + 1).conf", content: .success(Array(text.utf8)))
    })
}

private func problems(_ text: String) -> [String] { load(text).problems.map(\.description) }

private let work = "[issuer work]\nkind=openid\nissuer=https://login.example.org/realms/a/\n"

@Suite struct ConfigurationBuilderTests {
  @Test func `without files the standard configuration holds`() {
    #expect(load().configuration == .standard && load().problems.isEmpty)
  }

  @Test func `an OpenID issuer has every key in its profile`() {
    let loaded = load(
      work + """
        client-id=desktop
        redirect-uri=http://localhost:8765/callback
        scopes=openid offline_access
        ca-file=/etc/ssl/corp.pem
        proxy=http://proxy.example.org:3128
        grace=30s
        oracle=none
        reuse-blast=user
        """)
    let profile = IssuerProfile(
      name: "work", kind: "openid", identifier: "https://login.example.org/realms/a/", environment: .live,
      clientID: "desktop", egress: EgressPolicy(caFile: "/etc/ssl/corp.pem", proxy: "http://proxy.example.org:3128"),
      rotation: RotationPolicy(grace: .window(.seconds(30)), oracle: .none, reuseBlast: .user, keepsUnrotated: true))
    #expect(loaded.configuration.issuers["work"]?.profile == profile)
  }

  @Test func `an issuer without metadata has its endpoints written out`() {
    let loaded = load(
      """
      [issuer hub]
      kind=oauth
      issuer=https://hub.example.org
      client-id=desktop
      authorization-endpoint=https://hub.example.org/a
      token-endpoint=https://hub.example.org/t
      userinfo-endpoint=https://api.hub.example.org/me
      subject-claim=id
      assumed-lifetime=365d
      narrows=true
      dpop=true
      par=never
      resource=https://api.hub.example.org
      """)
    var options = IssuerOptions()
    options.endpoints = [
      .authorization: "https://hub.example.org/a", .token: "https://hub.example.org/t",
      .userInfo: "https://api.hub.example.org/me",
    ]
    options.subjectClaim = "id"
    options.assumedLifetime = .seconds(365 * 86400)
    options.narrows = true
    options.dpop = true
    options.pushedAuthorization = .never
    options.resource = "https://api.hub.example.org"
    #expect(loaded.problems.isEmpty && loaded.configuration.issuers["hub"]?.profile.options == options)
  }

  @Test(arguments: [
    "token-endpoint=http://login.example.org/t", "token-endpoint=https://login.example.org/t#x", "par=sometimes",
    "resource=api", "subject-claim=", "assumed-lifetime=soon",
  ])
  func `an option that cannot be meant is a problem`(line: String) {
    #expect(problems(work + line).count == 1)
  }

  @Test func `an option that the kind has no use for is a problem`() {
    let found = problems("[issuer d]\nkind=didit\norigin=https://acme.auth.didit.me\npar=auto")
    #expect(found.count == 1 && found[0].contains("par"))
  }

  @Test func `redirect and scopes are what a sign-in uses by default`() {
    let issuer = load(work + "redirect-uri=https://a.example.org/back\nscopes=openid email").configuration.issuers[
      "work"]
    #expect(issuer?.redirectURI == "https://a.example.org/back" && issuer?.scopes == ["openid", "email"])
  }

  @Test func `Didit brings its rotation policy`() {
    let loaded = load("[issuer d]\nkind=didit\norigin=https://acme.auth.didit.me")
    #expect(loaded.configuration.issuers["d"]?.profile.rotation == .didit)
  }

  @Test(arguments: [
    ("https://acme.auth.didit.me", IssuerProfile.Environment.live, false),
    ("https://acme.sandbox.auth.didit.me", .sandbox, false),
    ("https://login.acme.example", .live, false),
    ("http://localhost:8080", .sandbox, true),
    ("http://127.0.0.1:8080", .sandbox, true),
    ("http://[::1]:8080", .sandbox, true),
  ])
  func `the origin decides environment and plain http`(
    origin: String, environment: IssuerProfile.Environment, plain: Bool
  ) {
    let profile = load("[issuer d]\nkind=didit\norigin=\(origin)").configuration.issuers["d"]?.profile
    #expect(profile?.environment == environment && profile?.egress.plainLoopback == plain)
  }

  @Test(arguments: [
    "http://login.example.org", "ftp://login.example.org", "https://", "https://LOGIN.example.org",
    "https://user@login.example.org", "https://login.example.org?x=1", "https://login.example.org#x",
    "https://login.example.org.", "https://login..example.org", "https://login.example.org:0",
    "https://login.example.org:65536", "https://login.example.org:",
    "https://löw.example.org", "https://login.example.org/a b", "http://localhost.example.org",
    "http://127.0.0.1.example.org", "http://127.0.0.256",
    "http://[::2]", "https://[::1", "login.example.org", "",
  ])
  func `an insecure or odd issuer URL is refused`(url: String) {
    let said = problems("[issuer a]\nkind=openid\nissuer=\(url)")
    let expected =
      "1.conf:3: [issuer a] issuer: must be an https URL in lower case without user, query or fragment; "
      + "plain http only for this machine"
    #expect(said == [expected])
  }

  @Test func `a Didit origin has no path`() {
    #expect(problems("[issuer a]\nkind=didit\norigin=https://acme.auth.didit.me/x").count == 1)
  }

  @Test func `each kind has its own key for the address`() {
    let said = problems("[issuer a]\nkind=didit\nissuer=https://acme.auth.didit.me")
    #expect(
      said == [
        "1.conf:3: [issuer a] issuer: must be left out with kind=didit, which has origin=",
        "1.conf:1: [issuer a] origin: is missing",
      ])
  }

  @Test(arguments: [
    ("[issuer a]\nissuer=https://a.example", "1.conf:1: [issuer a] kind: is missing"),
    ("[issuer a]\nkind=saml", "1.conf:2: [issuer a] kind: must be didit or openid or oauth"),
    (
      "[issuer a]\nkind=didit-native",
      "1.conf:2: [issuer a] kind: must be didit, the hosted sign-in: the vendor's native authentication SDK is not published"
    ),
    ("[issuer]\nkind=openid", "1.conf:1: [issuer]: there is no such group"),
    ("[refresh x]", "1.conf:1: [refresh x]: there is no such group"),
    ("[colour]", "1.conf:1: [colour]: there is no such group"),
    ("[refresh]\ninterval=1s", "1.conf:2: [refresh] interval: there is no such key"),
    (
      "[refresh]\nforce-interval=30",
      "1.conf:2: [refresh] force-interval: must be a duration such as 90s, 5m, 2h, 1d or 0s"
    ),
    ("[store]\ndefault=disk", "1.conf:2: [store] default: must be secret-service or sealed-file"),
    ("[store]\nkey-file=key", "1.conf:2: [store] key-file: must be an absolute path"),
    ("[account a]", "1.conf:1: [account a] issuer: is missing"),
    ("[account a]\nissuer=b", "1.conf:2: [account a] issuer: must be the NAME of a sound [issuer NAME]"),
    (
      work + "proxy=http://me:pw@proxy:1",
      "1.conf:4: [issuer work] proxy: must be http://HOST:PORT or https://HOST:PORT, without user or password"
    ),
    (
      work + "redirect-uri=myapp://x",
      "1.conf:4: [issuer work] redirect-uri: must be an https URL, or http on localhost, 127.0.0.1 or [::1], without user, fragment or wildcard"
    ),
    (
      work + "redirect-uri=http://a.example/x",
      "1.conf:4: [issuer work] redirect-uri: must be an https URL, or http on localhost, 127.0.0.1 or [::1], without user, fragment or wildcard"
    ),
    (work + "scopes=a  b", "1.conf:4: [issuer work] scopes: must be scopes separated by single spaces (RFC 6749 §3.3)"),
    (
      work + "client-id=a b",
      "1.conf:4: [issuer work] client-id: must be 1 to 256 printable ASCII characters without spaces"
    ),
    (work + "grace=long", "1.conf:4: [issuer work] grace: must be none, until-used, or a duration such as 30s"),
    (work + "oracle=delphi", "1.conf:4: [issuer work] oracle: must be none or session"),
    (work + "reuse-blast=all", "1.conf:4: [issuer work] reuse-blast: must be session, user or unknown"),
  ])
  func `what means nothing gets its place and what is expected`(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func `no problem repeats a value`() {
    let keys = [
      "kind", "issuer", "origin", "client-id", "redirect-uri", "scopes", "ca-file", "proxy", "grace", "oracle",
    ]
    let text = "[issuer a]\n" + keys.map { "\($0)=s3cret s3cret\u{E9}  x" }.joined(separator: "\n")
    #expect(problems(text).count > 0 && !problems(text).joined().contains("s3cret"))
  }

  @Test func `a later file changes one key and leaves the others`() {
    let loaded = load(work + "client-id=first\nscopes=openid", "[issuer work]\nclient-id=second")
    let issuer = loaded.configuration.issuers["work"]
    #expect(issuer?.profile.clientID == "second" && issuer?.scopes == ["openid"])
  }

  @Test func `a group with a problem is left out whole and the others stay`() {
    let loaded = load(work + "proxy=bad\n[refresh]\nforce-interval=0s")
    #expect(loaded.configuration.issuers.isEmpty && loaded.configuration.refresh.forceInterval == .zero)
  }

  @Test func `a broken file is left out whole`() {
    let loaded = load("[refresh]\nforce-interval=1m", "[refresh]\nforce-interval=2m\nodd")
    #expect(loaded.configuration.refresh.forceInterval == .seconds(60) && loaded.problems.count == 1)
  }

  @Test func `a problem in a merged group names the file of the key`() {
    let loaded = load(work, "\n[issuer work]\ngrace=x")
    #expect(loaded.problems.map(\.file) == ["2.conf"] && loaded.problems.map(\.line) == [3])
  }

  @Test func `an account takes the default store unless it names one`() {
    let loaded = load(
      work
        + "[store]\ndefault=sealed-file\nkey-file=/k\n[account a]\nissuer=work\n[account b]\nissuer=work\nstore=secret-service"
    )
    let accounts = loaded.configuration.accounts
    #expect(accounts["a"]?.backend == .sealedFile && accounts["b"]?.backend == .secretService)
  }

  @Test(arguments: [(live, IssuerProfile.Environment.live), (sandbox, .sandbox)])
  func `a publishable key alone is enough for Didit`(key: String, environment: IssuerProfile.Environment) {
    let profile = load("[issuer d]\nkind=didit\npublishable-key=\(key)").configuration.issuers["d"]?.profile
    #expect(profile?.environment == environment)
  }

  @Test func `a publishable key of a custom domain needs the origin beside it`() {
    let said = problems("[issuer d]\nkind=didit\npublishable-key=\(custom)")
    #expect(said == ["1.conf:3: [issuer d] publishable-key: \(mismatch)"])
  }

  @Test func `with the origin beside it a custom domain is taken`() {
    let text = "[issuer d]\nkind=didit\norigin=https://login.acme.example\npublishable-key=\(custom)"
    #expect(load(text).configuration.issuers["d"]?.profile.identifier == "https://login.acme.example")
  }

  @Test func `key and origin of two origins are a problem`() {
    let said = problems("[issuer d]\nkind=didit\norigin=https://other.auth.didit.me\npublishable-key=\(live)")
    #expect(said == ["1.conf:4: [issuer d] publishable-key: \(mismatch)"])
  }

  @Test func `a malformed key is not repeated`() {
    let said = problems("[issuer d]\nkind=didit\npublishable-key=pk_live_s3cret")
    #expect(said.count == 1 && !said.joined().contains("s3cret"))
  }
}

// base64url of https://acme.auth.didit.me, http://localhost:8080 and https://login.acme.example.
let live = "pk_live_aHR0cHM6Ly9hY21lLmF1dGguZGlkaXQubWU"
let sandbox = "pk_test_aHR0cDovL2xvY2FsaG9zdDo4MDgw"
let custom = "pk_live_aHR0cHM6Ly9sb2dpbi5hY21lLmV4YW1wbGU"
private let mismatch = "must be that of the same origin as origin=, which a custom domain needs"
