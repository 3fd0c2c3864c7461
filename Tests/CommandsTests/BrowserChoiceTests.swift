import Commands
import Testing

@Suite struct BrowserChoiceTests {
  private func commands(_ browser: String?, display: String = "DISPLAY") -> [[String]] {
    let environment = Environment([display: ":0", "BROWSER": browser ?? ""])
    return BrowserChoice(url: "https://a.example/?x=%s&y", environment).commands
  }

  private let url = "https://a.example/?x=%s&y"

  @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
  func `without BROWSER it is xdg-open`(display: String) {
    #expect(commands(nil, display: display) == [["xdg-open", url]])
  }

  @Test(arguments: ["SSH_TTY", "TERM"])
  func `without a display and BROWSER nothing can be opened`(variable: String) {
    #expect(commands(nil, display: variable).isEmpty && commands("lynx", display: variable) == [["lynx", url]])
  }

  @Test func `an empty BROWSER counts as none`() {
    #expect(commands("") == [["xdg-open", url]])
  }

  @Test func `each command of the list gets the address`() {
    #expect(commands("firefox:w3m -o %s -x") == [["firefox", url], ["w3m", "-o", url, "-x"]])
  }

  @Test func `the address is not looked into, and a percent sign can be written`() {
    #expect(commands("open --url=%s --zoom=50%%") == [["open", "--url=\(url)", "--zoom=50%"]])
  }

  @Test func `empty commands are passed over`() {
    #expect(commands("::  :lynx") == [["lynx", url]])
  }

  @Test func `nothing is given to a shell`() {
    #expect(commands("sh -c evil;rm") == [["sh", "-c", "evil;rm", url]])
  }
}
