import Glibc
import JSON
import Secrets
import Testing
import Wire

/// What `almoner register` prints, writes, and asks for.
@Suite final class RegisterCommandTests {
  private let directory: String

  init() throws {
    var template = Array("/tmp/almoner-register-XXXXXX".utf8CString)
    directory = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
  }

  deinit {
    for name in ["secret", "registration", "token"] { unsafe unlink(path(name)) }
    unsafe rmdir(directory)
  }

  private func path(_ name: String) -> String { "\(directory)/\(name)" }

  private func secret(_ text: String) throws -> SecretBox {
    var buffer = WipedBuffer()
    buffer.append(text)
    return SecretBox(try buffer.takeSecret())
  }

  private func reply(secret: String? = nil, token: String? = nil) throws -> [UInt8] {
    frame(
      Wire.RegisterClient.Reply(
        issuer: "https://a.example", name: "work", clientId: "new", redirectUri: "http://127.0.0.1/callback",
        scopes: [], configuration: "[issuer work]\nclient-id=new\n", notes: ["scope: a\u{1b}[2J note."],
        clientSecret: try secret.map(self.secret), secretExpiresIn: secret == nil ? nil : 3600,
        registrationClientUri: token.map { _ in "https://a.example/r" },
        registrationAccessToken: try token.map(self.secret)))
  }

  /// What is in a file, and its mode; nil when there is none.
  private func kept(_ name: String) -> (text: String, mode: UInt32)? {
    let file = unsafe open(path(name), O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard unsafe fstat(file, &facts) == 0 else { return nil }
    let count = unsafe read(file, &bytes, bytes.count)
    return (String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), facts.st_mode & 0o7777)
  }

  private func put(_ name: String, _ text: String, mode: UInt32 = 0o600) {
    let file = unsafe open(path(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
    _ = unsafe write(file, text, text.utf8.count)
    close(file)
    unsafe chmod(path(name), mode)
  }

  @Test func `the configuration is all of the answer, and what to do next is a note`() throws {
    let run = try CommandRun("register https://a.example", [reply()])
    #expect(run.status == 0 && run.output == "[issuer work]\nclient-id=new\n")
    #expect(run.errors.contains("almoner login --issuer work") && run.errors.contains("scope: a\u{FFFD}[2J note.\n"))
  }

  @Test func `JSON has the configuration and the notes`() throws {
    let run = try CommandRun("register https://a.example --json", [reply()])
    #expect(run.output.hasPrefix(#"{"format":1,"issuer":"https://a.example","name":"work","clientId":"new""#))
    #expect(run.output.contains(#""configuration":"[issuer work]\nclient-id=new\n""#) && run.errors.isEmpty)
  }

  @Test(arguments: ["", " --json"]) func `secrets go into their files and nowhere else`(json: String) throws {
    let run = try CommandRun(
      "register work --client-secret-file \(path("secret")) --registration-file \(path("registration"))\(json)",
      [reply(secret: "s3cret", token: "m4nage")])
    #expect(run.status == 0, "\(run.errors)")
    let (secret, registration) = (try #require(kept("secret")), try #require(kept("registration")))
    #expect(secret == ("s3cret\n", 0o600))
    #expect(
      registration
        == (
          #"{"issuer":"https://a.example","client_id":"new","registration_client_uri":"https://a.example/r","#
            + "\"registration_access_token\":\"m4nage\"}\n", 0o600
        ))
    for said in [run.output, run.errors] { #expect(!said.contains("s3cret") && !said.contains("m4nage")) }
    #expect((run.output + run.errors).contains("It is good for 1h."))
    let sent = try #require(run.calls.first).parameters
    #expect(sent["clientSecretFile"] == .string(path("secret")) && sent["management"] == .bool(true))
  }

  @Test(arguments: ["--client-secret-file", "--registration-file"])
  func `a file that is there already is left as it is, and nobody is asked`(option: String) throws {
    put("secret", "old", mode: 0o644)
    let run = try CommandRun("register work \(option) \(path("secret"))", [reply(secret: "s3cret")])
    #expect(run.status == 1 && run.calls.isEmpty && run.output.isEmpty && run.errors.contains(option))
    #expect(kept("secret")?.text == "old")
  }

  @Test func `a link is not followed`() throws {
    unsafe symlink(path("elsewhere"), path("secret"))
    let run = try CommandRun("register work --client-secret-file \(path("secret"))", [reply(secret: "s3cret")])
    #expect(run.status == 1 && run.calls.isEmpty && kept("elsewhere") == nil)
  }

  @Test func `after a failure no empty file is left`() throws {
    let run = try CommandRun(
      "register work --client-secret-file \(path("secret")) --registration-file \(path("registration"))",
      [frame(.denied(account: nil, message: "no", help: ""))])
    #expect(run.status == 6 && run.output.isEmpty && kept("secret") == nil && kept("registration") == nil)
  }

  @Test func `a secret that did not come leaves no file, and that is said`() throws {
    let run = try CommandRun(
      "register work --client-secret-file \(path("secret")) --registration-file \(path("registration"))", [reply()])
    #expect(run.status == 0 && kept("secret") == nil && kept("registration") == nil)
    #expect(run.errors.contains("gave the client no secret") && run.errors.contains("no registration file"))
  }

  @Test func `the initial access token comes from standard input, a line of it`() throws {
    let run = try CommandRun("register work --token-stdin", input: "t0ken\nmore\n", [reply()])
    let sent = try #require(run.calls.first?.parameters["initialAccessToken"])
    #expect(try sent == .secret(secret("t0ken")))
    #expect(run.status == 0)
  }

  @Test func `the initial access token comes from a file that is the person's alone`() throws {
    put("token", "t0ken\n")
    let run = try CommandRun("register work --token-file \(path("token"))", [reply()])
    let sent = try #require(run.calls.first?.parameters["initialAccessToken"])
    #expect(try sent == .secret(secret("t0ken")))
    #expect(run.status == 0)
  }

  @Test(arguments: [0o640, 0o604, 0o660] as [UInt32])
  func `a token file that others may read is not used`(mode: UInt32) throws {
    put("token", "t0ken\n", mode: mode)
    let run = try CommandRun("register work --token-file \(path("token"))", [reply()])
    #expect(run.status == 1 && run.calls.isEmpty && run.errors.contains("--token-file"))
    #expect(!(run.output + run.errors).contains("t0ken"))
  }

  @Test(arguments: [("", 2), (String(repeating: "t", count: 4097), 2)] as [(String, Int32)])
  func `a token of no length, or of too great a one, is refused`(token: String, status: Int32) throws {
    put("token", token)
    let run = try CommandRun("register work --token-file \(path("token"))", [reply()])
    #expect(run.status == status && run.calls.isEmpty)
  }

  @Test(arguments: [
    "register", "register a b", "register a --kind didit", "register a --token-file /x --token-stdin",
    "register a --token secret",
  ])
  func `a command line that cannot be meant is refused before anything is done`(words: String) throws {
    let run = try CommandRun(words, [reply()])
    #expect(run.status == 2 && run.calls.isEmpty)
  }

  @Test func `a field that the daemon refuses is named as it was given`() throws {
    for (field, option) in [("issuer", "ISSUER"), ("clientName", "--name"), ("redirectUri", "--redirect-uri")] {
      let run = try CommandRun("register x", [frame(.badRequest(field: field, message: "\(field): no", help: ""))])
      #expect(run.status == 2 && run.errors.contains("\(option): no") && !run.errors.contains("almoner login"))
    }
  }
}
