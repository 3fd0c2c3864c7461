import Configuration
import Exchange
import OAuth
import Secrets
import Testing
import Vault

private let issuer = "https://login.example.org/realms/a"

/// What is asked of an issuer for a person's words, and which configuration comes of its answer.
struct RegistrationTests {
  private func plan(_ wish: RegistrationWish, _ configuration: String = "") throws(VaultError) -> RegistrationPlan {
    try load(configuration).configuration.plan(wish)
  }

  private func refusal(_ wish: RegistrationWish, _ configuration: String = "") -> String? {
    do throws(VaultError) {
      _ = try plan(wish, configuration)
      return nil
    } catch {
      guard case .badRequest(let field, _) = error else { return "\(error)" }
      return field
    }
  }

  private func client(_ members: String) throws -> RegisteredClient {
    let bytes = Array(#"{"client_id":"s6Bh",\#(members)}"#.utf8)
    let body = SecretBox(unsafe try SecretBytes(copying: bytes.span.bytes))
    return try RegisteredClient(reading: body)
  }

  private func group(_ wish: RegistrationWish, _ members: String = #""x":0"#) throws -> RegisteredGroup {
    let plan = try plan(wish)
    return try RegisteredGroup(plan, ClientRegistration(client: client(members), asked: plan.client))
  }

  /// Why no configuration comes of an answer.
  private func uselessness(_ wish: RegistrationWish, _ members: String) throws -> String? {
    let plan = try plan(wish)
    let registration = ClientRegistration(client: try client(members), asked: plan.client)
    do throws(IssuerError) {
      _ = try RegisteredGroup(plan, registration)
      return nil
    } catch {
      guard case .configuration(let why) = error else { return "\(error)" }
      return why
    }
  }

  @Test func `a URL alone asks for a public native client at any loopback port`() throws {
    let plan = try plan(RegistrationWish(issuer: issuer))
    #expect(plan.group == "example" && plan.issuer.kind == "openid" && plan.issuer.identifier == issuer)
    #expect(
      plan.client
        == ClientMetadata(
          name: "Almoner", redirectURI: "http://127.0.0.1/callback", scopes: [], showsSecret: false))
  }

  @Test func `a configured issuer brings its way out, its redirect and its scopes`() throws {
    let text = """
      [issuer work]
      kind=oauth
      issuer=\(issuer)
      ca-file=/etc/corp.pem
      redirect-uri=http://localhost:8765/cb
      scopes=a b
      registration-endpoint=https://login.example.org/register
      """
    let plan = try plan(RegistrationWish(issuer: "work"), text)
    #expect(plan.group == "work" && plan.issuer.egress.caFile == "/etc/corp.pem")
    #expect(plan.issuer.options.endpoints[.registration] == "https://login.example.org/register")
    #expect(plan.client.redirectURI == "http://localhost:8765/cb" && plan.client.scopes == ["a", "b"])
  }

  @Test func `a name that is taken is not given twice`() throws {
    let text = "[issuer example]\nkind=openid\nissuer=https://other.example.com\n"
    #expect(try plan(RegistrationWish(issuer: issuer), text).group == "example-2")
  }

  @Test(arguments: [
    (RegistrationWish(issuer: "nobody"), "issuer"), (RegistrationWish(issuer: "http://login.example.org"), "issuer"),
    (RegistrationWish(issuer: issuer + "?a=b"), "issuer"), (RegistrationWish(issuer: issuer, kind: "didit"), "kind"),
    (RegistrationWish(issuer: issuer, kind: "saml"), "kind"),
    (RegistrationWish(issuer: issuer, redirectURI: "http://elsewhere.example/"), "redirectUri"),
    (RegistrationWish(issuer: issuer, redirectURI: "http://127.0.0.1/*"), "redirectUri"),
    (RegistrationWish(issuer: issuer, clientName: ""), "clientName"),
    (RegistrationWish(issuer: issuer, clientName: "a\u{7}"), "clientName"),
    (RegistrationWish(issuer: issuer, clientName: String(repeating: "é", count: 65)), "clientName"),
    (RegistrationWish(issuer: issuer, scopes: ["a b"]), "scopes"),
    (RegistrationWish(issuer: issuer, scopes: ["a\"b"]), "scopes"),
    (RegistrationWish(issuer: issuer, clientSecretFile: "secret"), "clientSecretFile"),
    (RegistrationWish(issuer: issuer, clientSecretFile: "/a\nb"), "clientSecretFile"),
  ])
  func `what cannot be meant is refused by field`(wish: RegistrationWish, field: String) {
    #expect(refusal(wish) == field)
  }

  @Test func `Didit, whose clients its owner makes, is refused`() {
    let text = "[issuer acme]\nkind=didit\norigin=https://acme.auth.didit.me\n"
    #expect(refusal(RegistrationWish(issuer: "acme"), text) == "issuer")
  }

  @Test func `the group is read back as what it was made of`() throws {
    let wish = RegistrationWish(
      issuer: issuer, redirectURI: "http://127.0.0.1:18605/callback", scopes: ["openid", "offline_access"],
      clientSecretFile: "/home/ada/a b\\c")
    let group = try group(wish, #""client_secret":"s3cret","token_endpoint_auth_method":"client_secret_post""#)
    let loaded = load(group.text)
    #expect(loaded.problems.isEmpty)
    let read = try #require(loaded.configuration.issuers["example"])
    #expect(read.profile.clientID == "s6Bh" && read.profile.identifier == issuer && read.profile.kind == "openid")
    #expect(read.redirectURI == "http://127.0.0.1:18605/callback" && read.scopes == ["openid", "offline_access"])
    #expect(read.profile.options.clientSecretFile == "/home/ada/a b\\c")
    #expect(read.profile.options.clientAuthentication == .post && !group.text.contains("s3cret"))
  }

  @Test func `a public client's group is five lines`() throws {
    #expect(
      try group(RegistrationWish(issuer: issuer)).text == """
        [issuer example]
        kind=openid
        issuer=\(issuer)
        client-id=s6Bh
        redirect-uri=http://127.0.0.1/callback

        """)
  }

  @Test func `a secret that a public client does not show is let go, and that is said`() throws {
    let group = try group(
      RegistrationWish(issuer: issuer), #""client_secret":"x","token_endpoint_auth_method":"none""#)
    #expect(group.secret == nil && group.notes.contains { $0.contains("kept nowhere") })
  }

  @Test(arguments: [
    #""client_secret":"x""#, #""client_secret":"x","token_endpoint_auth_method":"client_secret_basic""#,
    #""client_secret":"x","token_endpoint_auth_method":"client_secret_post""#,
  ])
  func `a client that has to show a secret nobody asked for is of no use, and the option is named`(
    members: String
  ) throws {
    let why = try #require(try uselessness(RegistrationWish(issuer: issuer), members))
    #expect(why.contains("s6Bh") && why.contains("--client-secret-file"))
  }

  @Test(arguments: [
    (#""token_endpoint_auth_method":"client_secret_basic""#, "gave none"),
    (#""client_secret":"x","token_endpoint_auth_method":"private_key_jwt""#, "not known here"),
    (#""redirect_uris":[]"#, "redirect URI"), (#""redirect_uris":["almoner:/cb","http://b.example/"]"#, "redirect URI"),
  ])
  func `a client that could not sign in is of no use`(members: String, words: String) throws {
    let wish = RegistrationWish(issuer: issuer, clientSecretFile: "/s")
    #expect(try uselessness(wish, members)?.contains(words) == true)
  }

  @Test(arguments: [
    (#""client_secret":"x""#, "basic"),
    (#""client_secret":"x","token_endpoint_auth_method":"client_secret_post""#, "post"),
  ])
  func `a secret is shown as the issuer registered it`(members: String, way: String) throws {
    let group = try group(RegistrationWish(issuer: issuer, clientSecretFile: "/s"), members)
    #expect(group.text.hasSuffix("client-secret-file=/s\nclient-authentication=\(way)\n"))
  }

  @Test func `a redirect that the issuer put in place of ours is used, and said`() throws {
    let group = try group(RegistrationWish(issuer: issuer), #""redirect_uris":["http://127.0.0.1:9/cb"]"#)
    #expect(group.redirectURI == "http://127.0.0.1:9/cb" && group.notes.contains { $0.hasPrefix("redirect_uris: ") })
  }

  @Test func `scopes that the issuer left out are not asked for`() throws {
    let wish = RegistrationWish(issuer: issuer, scopes: ["openid", "email"])
    #expect(try group(wish, #""scope":"email phone""#).scopes == ["email"])
    #expect(try group(wish, #""scope":"phone""#).scopes == ["openid", "email"])
    #expect(try group(RegistrationWish(issuer: issuer), #""scope":"phone""#).scopes == [])
  }
}
