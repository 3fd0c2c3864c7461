import Secrets
import Testing
import Wire

@Suite struct TokenCommandTests {
  private func reply(
    _ text: String = "tok\"en.1", shorter: Bool = false, hindrance: String? = nil
  ) throws -> [UInt8] {
    var token = WipedBuffer()
    token.append(text)
    return frame(
      Wire.GetAccessToken.Reply(
        accessToken: SecretBox(try token.takeSecret()), tokenType: "Bearer", account: "work",
        issuer: "https://a.example", expiresIn: 252,
        generation: 3, shorter: shorter, refreshed: false, hindrance: hindrance))
  }

  @Test func `the token and one newline are all of the answer`() throws {
    let run = try CommandRun("token", [reply()])
    #expect(run.status == 0 && run.output == "tok\"en.1\n" && run.errors.isEmpty)
  }

  @Test func `a header is printed for curl`() throws {
    #expect(try CommandRun("token --header", [reply()]).output == "Authorization: Bearer tok\"en.1\n")
  }

  @Test(arguments: ["a\nb", "a\r\nHost: evil.example", "a\u{0}b", "\u{2028}", "a\u{7F}", "\n"])
  func `E5 a token that would forge a line is refused, and not repeated`(text: String) throws {
    for words in ["token", "token --header"] {
      let run = try CommandRun(words, [reply(text)])
      #expect(run.status == 1 && run.output.isEmpty && !run.errors.contains("evil"))
    }
    #expect(try CommandRun("token --json", [reply(text)]).output.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: ["a=b==", "key=value", "a b"])
  func `E5 a token on one line is printed as it is`(text: String) throws {
    #expect(try CommandRun("token", [reply(text)]).output == text + "\n")
  }

  @Test func `JSON says its format first`() throws {
    let run = try CommandRun("token --json", [reply()])
    #expect(
      run.output == """
        {"format":1,"accessToken":"tok\\"en.1","tokenType":"Bearer","account":"work","issuer":"https://a.example",\
        "expiresIn":252,"generation":3,"shorter":false,"refreshed":false}

        """)
  }

  @Test func `the options reach the daemon`() throws {
    let run = try CommandRun("token work --min-valid 2m --force --timeout 10", [reply()])
    let parameters = try Wire.GetAccessToken.Parameters(members: #require(run.calls.first).parameters)
    #expect(
      parameters == Wire.GetAccessToken.Parameters(account: "work", minValid: 120, force: true, timeout: 10))
  }

  @Test func `a token that lives less long than asked is told on standard error`() throws {
    let run = try CommandRun("token", [reply(shorter: true)])
    #expect(
      run.output == "tok\"en.1\n" && run.errors == "almoner: work: the token lives only 4m 12s, less than asked\n")
  }

  @Test(arguments: [
    (nil, ", because the last time is too recent"), ("no route", ": no route"),
  ])
  func `why force brought no refresh is told on standard error`(hindrance: String?, words: String) throws {
    let run = try CommandRun("token --force", [reply(hindrance: hindrance)])
    #expect(run.status == 0 && run.output == "tok\"en.1\n" && run.errors == "almoner: work: not refreshed\(words)\n")
  }

  @Test func `an error leaves standard output empty`() throws {
    let error = AlmonerError.signInRequired(
      account: "work", reason: "refused", message: "the session has ended", help: "almoner login work")
    let run = try CommandRun("token", [frame(error)])
    #expect(run.status == 3 && run.output.isEmpty)
    #expect(run.errors == "almoner: work: the session has ended\n  Try: almoner login work\n")
  }

  @Test func `an error is JSON when JSON is asked for`() throws {
    let error = AlmonerError.temporary(account: nil, message: "offline", retryAfter: 3, help: "")
    let run = try CommandRun("token --json", [frame(error)])
    #expect(run.status == 5 && run.output.isEmpty)
    #expect(
      run.errors == "{\"format\":1,\"error\":\"temporary\",\"message\":\"offline\",\"temporary\":true,\"status\":5}\n")
  }

  @Test func `a daemon that goes away is temporary`() throws {
    #expect(try CommandRun("token", []).status == 5)
  }

  @Test func `no daemon has its own status`() throws {
    #expect(try CommandRun("token").status == 7)
  }

  @Test func `an answer that is no reply is a failure without its text`() throws {
    let run = try CommandRun("token", [Array("{\"secret\u{1}\0".utf8)])
    #expect(run.status == 1 && !run.errors.contains("secret"))
  }

  private let stronger = frame(
    AlmonerError.stepUpRequired(account: "work", acrValues: ["mfa"], maxAge: 60, message: "work: m", help: "h"))
  private let page = frame(
    Wire.SignIn.Reply(stage: .attempt, attempt: "a", url: "https://a.example/go", account: "work"), continues: true)
  private let signedIn = frame(Wire.SignIn.Reply(stage: .signedIn, account: "work", isNew: false))

  @Test func `what a resource demanded is passed on, and a weak sign-in ends with status 8`() throws {
    let run = try CommandRun("token work --acr-values urn:mfa --max-age 1m", [stronger])
    #expect(run.status == 8 && run.output.isEmpty && run.calls.count == 1)
    let parameters = try Wire.GetAccessToken.Parameters(members: #require(run.calls.first).parameters)
    #expect(parameters.acrValues == ["urn:mfa"] && parameters.maxAge == 60)
  }

  @Test func `nobody signs in anew when the last sign-in suffices`() throws {
    let run = try CommandRun("token work --max-age 60 --interactive", [reply()])
    #expect(run.status == 0 && run.output == "tok\"en.1\n" && run.calls.count == 1)
  }

  @Test func `with leave to do so somebody signs in anew and the fresh token is the answer`() throws {
    let run = try CommandRun(
      "token work --acr-values urn:mfa --max-age 60 --interactive --scope otp --min-valid 5", [stronger],
      [page, signedIn], [reply()])
    #expect(run.status == 0 && run.output == "tok\"en.1\n" && run.calls.count == 3)
    let asked = try Wire.SignIn.Parameters(members: run.calls[1].parameters)
    #expect(asked.account == "work" && asked.acrValues == ["urn:mfa"] && asked.maxAge == 60 && asked.scopes == ["otp"])
    let again = try Wire.GetAccessToken.Parameters(members: run.calls[2].parameters)
    #expect(again == Wire.GetAccessToken.Parameters(account: "work", minValid: 5, timeout: 30, scopes: ["otp"]))
  }

  @Test func `a sign-in that did not bring what was asked is not tried again`() throws {
    let run = try CommandRun("token work --max-age 60 --interactive", [stronger], [page, stronger])
    #expect(run.status == 8 && run.output.isEmpty && run.calls.count == 2)
  }

  @Test(arguments: [
    ("token --interactive", "--interactive goes with"),
    ("token --max-age 31d", "--max-age must be"),
  ])
  func `options that make no sense are refused`(words: String, message: String) throws {
    let run = try CommandRun(words)
    #expect(run.status == 2 && run.errors.contains(message))
  }
}
