import EventLoop
import Server
import Testing

/// Case E8 and its kin: how connections end.
@Suite struct ClosingTests {
  @Test func `E8 who closes its half still gets its answers, then the end`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(RawClient.frame("Refresh") + RawClient.frame("GetAccessToken"))
    client.halfClose()
    try await harness.refresh.began.wait()
    harness.refresh.go.settle(())
    #expect(client.receive()?.contains(#""refreshed":true"#) == true)
    #expect(client.receive()?.contains("token-1") == true)
    #expect(client.isClosed())
  }

  @Test func `E8 who closes in the middle of a frame is forgotten`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send("{")
    client.halfClose()
    #expect(client.isClosed())
    await harness.emptied()
  }

  @Test func `E8 a reset in the middle of an answer harms nobody else`() async throws {
    let harness = try Harness()
    let other = try await harness.connect()
    do {
      let client = try await harness.connect()
      client.send(RawClient.frame("Monitor", #"{"account":"endless"}"#, #","more":true"#))
      #expect(client.receive() != nil)
      // Closing with answers unread is a reset; the server's next send would raise SIGPIPE.
    }
    while await harness.server.connectionCount > 1 { await Task.yield() }
    #expect(other.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `closing cancels the call that runs`() async throws {
    let harness = try Harness()
    do {
      let client = try await harness.connect()
      client.send(RawClient.frame("Refresh"))
      try await harness.refresh.began.wait()
    }
    try await harness.refresh.cancelled.wait()
    await harness.emptied()
  }

  @Test func `a oneway call goes on without its caller`() async throws {
    let harness = try Harness()
    do {
      let client = try await harness.connect()
      client.send(RawClient.frame("Refresh", "{}", #","oneway":true"#))
      try await harness.refresh.began.wait()
    }
    await harness.emptied()
    // Had it been cancelled, this would not be the first.
    #expect(harness.refresh.cancelled.settle(()))
  }

  @Test func `closing everything cancels what runs and ends every connection`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(RawClient.frame("Refresh"))
    try await harness.refresh.began.wait()
    await harness.server.closeAll()
    #expect(client.isClosed())
    try await harness.refresh.cancelled.wait()
  }
}
