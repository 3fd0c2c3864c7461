import Exchange
import Secrets
import Testing
import Time

@Suite struct OutgoingRequestTests {
  @Test func `a request prints without what is secret in it`() throws {
    let request = OutgoingRequest(
      .post, "https://issuer.example/token/", bearer: try box("sentinel bearer"), basic: try box("sentinel basic"),
      contentType: .json,
      body: try box("sentinel body"), egress: EgressPolicy())
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("sentinel"))
    #expect(!"\(request)".contains("sentinel"))
  }

  @Test func `an answer prints without its body`() throws {
    let answer = HTTPAnswer(
      status: 200, date: nil, retryAfter: nil, contentType: "application/json", body: try box("sentinel"),
      isTruncated: false, receivedAt: BootInstant(nanoseconds: 0), receivedBoot: BootID(high: 0, low: 0),
      receivedWall: WallInstant(seconds: 0))
    var dumped = ""
    dump(answer, to: &dumped)
    #expect(!dumped.contains("sentinel"))
  }

  @Test func `plain http is allowed to nobody who did not ask`() {
    #expect(!EgressPolicy().plainLoopback)
  }

  private func box(_ text: String) throws -> SecretBox {
    let bytes = Array(text.utf8)
    return SecretBox(try unsafe SecretBytes(copying: bytes.span.bytes))
  }
}
