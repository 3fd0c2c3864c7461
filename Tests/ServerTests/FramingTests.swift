import EventLoop
import Server
import Testing
import Wire

/// Cases E1 and E3: where messages begin and end, and how long they may be.
@Suite struct FramingTests {
  @Test func `E1 a frame of 64 KiB and a byte is refused, and the connection closed`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(String(repeating: "x", count: Wire.maximumFrame + 1))
    #expect(client.receive()?.contains("org.almoner.Almoner.BadRequest") == true)
    #expect(client.isClosed())
  }

  @Test func `E1 a frame of exactly 64 KiB is answered`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let call = String(RawClient.frame("GetAccessToken").dropLast())
    client.send(call + String(repeating: " ", count: Wire.maximumFrame - call.utf8.count) + "\0")
    #expect(client.receive()?.contains("token-1") == true)
    #expect(client.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test(arguments: ["", "{", "[]", "\u{1}", #"{"method":1,"method":2}"#])
  func `E1 what is no JSON object is answered and the connection closed`(frame: String) async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(frame + "\0")
    #expect(client.receive()?.contains("org.almoner.Almoner.BadRequest") == true)
    #expect(client.isClosed())
  }

  @Test func `a call that is JSON but no varlink is answered and the connection goes on`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(#"{"method":"a.b.C","surprise":1}"# + "\0")
    #expect(client.receive()?.contains("org.varlink.service.InvalidParameter") == true)
    #expect(client.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `E3 two calls in one write are answered in order`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(
      RawClient.frame("GetAccessToken", #"{"account":"a"}"#) + RawClient.frame("GetAccessToken", #"{"account":"b"}"#))
    #expect(client.receive()?.contains(#""account":"a""#) == true)
    #expect(client.receive()?.contains(#""account":"b""#) == true)
  }

  @Test func `E3 a call split at every byte is answered alike`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let frame = RawClient.frame("GetAccessToken", #"{"account":"a"}"#)
    client.send(frame)
    let whole = client.receive()
    for cut in 1..<frame.utf8.count {
      client.send(String(frame.prefix(cut)))
      // Two turns of the loop, so that the first part has been read.
      for _ in 0..<2 { _ = await harness.server.connectionCount }
      client.send(String(frame.dropFirst(cut)))
      #expect(client.receive() == whole)
    }
  }

  @Test func `calls are answered in order although the first takes long`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let calls = (1...100).map { RawClient.frame("GetAccessToken", #"{"minValid":\#($0)}"#) }
    client.send(RawClient.frame("Refresh") + calls.joined())
    try await harness.refresh.began.wait()
    harness.refresh.go.settle(())
    #expect(client.receive()?.contains(#""refreshed":true"#) == true)
    for number in 1...100 { #expect(client.receive()?.contains(#""generation":\#(number),"#) == true) }
  }
}
