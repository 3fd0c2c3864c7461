import Commands
import Testing

@Suite struct BrowserPlaceTests {
  @Test(
    arguments: [
      (["DISPLAY": ":0"], BrowserPlace.here),
      (["WAYLAND_DISPLAY": "wayland-0"], .here),
      (["BROWSER": "w3m"], .here),
      (["DISPLAY": "localhost:10.0", "SSH_CONNECTION": "a 1 b 2"], .here),
      (["SSH_CONNECTION": "a 1 b 2"], .elsewhere),
      (["SSH_CLIENT": "a 1 2"], .elsewhere),
      (["SSH_TTY": "/dev/pts/0", "DISPLAY": ""], .elsewhere),
      (["TERM": "linux"], nil),
    ] as [([String: String], BrowserPlace?)])
  func `the environment tells where the browser is`(variables: [String: String], place: BrowserPlace?) {
    #expect(BrowserPlace(Environment(variables)) == place)
  }
}
