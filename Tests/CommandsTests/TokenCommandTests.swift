import Secrets
import Testing
import Wire

@Suite struct TokenCommandTests {
  private func reply(_ text: String = "tok\"en.1", shorter: Bool = false) throws -> [UInt8] {
    var token = WipedBuffer()
    token.append(text)
    return frame(
      Wire.GetAccessToken.Reply(
        accessToken: SecretBox(try token.takeSecret()), tokenType: "Bearer", account: "work",
        issuer: "https://a.example", expiresIn: 252,
        generation: 3, shorter: shorter, refreshed: false))
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
}
