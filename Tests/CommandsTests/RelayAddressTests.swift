import Commands
import Testing

@Suite struct RelayAddressTests {
  @Test(arguments: [
    "https://app.example.org/signed-in", "https://app.example.org/", "https://app.example.org:8443/a/b.html",
    "https://xn--bcher-kva.example/cb/%C3%A4",
  ])
  func `an address as a browser writes it is taken as it is`(text: String) {
    #expect(RelayAddress(text)?.text == text)
  }

  @Test(arguments: [
    "", "http://app.example.org/cb", "https://app.example.org", "https://App.example.org/cb", "HTTPS://a.example/cb",
    "https://a.example/cb?x=1", "https://a.example/cb#x", "https://b@a.example/cb", "https://a.example:443/cb",
    "https://a.example/\"><script>", "https://a.example/'", "https://a.example/<b>", "https://a.example/c b",
    "https://bücher.example/cb", "https:///cb", "https://:/cb", "https://a.example/\n", "https://a.example/&amp",
  ])
  func `what a browser would write otherwise, or what could break out of the page, is refused`(text: String) {
    #expect(RelayAddress(text) == nil)
  }
}
