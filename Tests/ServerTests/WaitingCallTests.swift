import EventLoop
import Glibc
import Secrets
import Server
import Testing

/// Calls that wait for the one before them cost nobody else the memory that is kept for secrets.
@Suite struct WaitingCallTests {
  /// A call of about 4 KB that would take 64 KB of the arena.
  private static let secretive =
    #"{"method":"org.almoner.Almoner.X","parameters":{"accessToken":["#
    + Array(repeating: "[" + Array(repeating: #""""#, count: 60).joined(separator: ",") + "]", count: 17)
    .joined(separator: ",") + "]}}\u{0}"

  @Test func `E2 calls that wait hold no secret before their turn`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let before = SecretArena.shared.bytesInUse
    client.send(RawClient.frame("Refresh") + String(repeating: Self.secretive, count: 12))
    try await harness.refresh.began.wait()
    while client.unread > 0 { await Task.yield() }
    // Once round the loop: what was received has become entries.
    _ = await harness.server.connectionCount
    #expect(SecretArena.shared.bytesInUse - before < 64 << 10)
    harness.refresh.go.settle(())
    #expect(client.receive()?.contains(#""refreshed":true"#) == true)
    for _ in 0..<12 { #expect(client.receive()?.contains("MethodNotFound") == true) }
    #expect(SecretArena.shared.bytesInUse == before)
  }

  @Test func `E1 no more bytes of calls wait than their limit and one call`() async throws {
    let harness = try Harness { $0.queuedBytes = 1000 }
    let (client, other) = (try await harness.connect(), try await harness.connect())
    let padded =
      #"{"method":"org.almoner.Almoner.X","parameters":{"a":""# + String(repeating: "a", count: 20_000) + "\"}}\u{0}"
    client.send(RawClient.frame("Refresh"))
    try await harness.refresh.began.wait()
    // One waits, one and a piece of the next are in the inbox, and the rest stays in the socket.
    client.send(String(repeating: padded, count: 6))
    for _ in 0..<20 { #expect(other.call("GetAccessToken")?.contains("token-1") == true) }
    #expect(client.unread > 20_000)
    harness.refresh.go.settle(())
    #expect(client.receive()?.contains(#""refreshed":true"#) == true)
    for _ in 0..<6 { #expect(client.receive()?.contains("MethodNotFound") == true) }
  }
}

extension RawClient {
  /// Bytes that were sent and that the server has not received.
  fileprivate var unread: Int {
    var count: Int32 = 0
    _ = unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count)
    return Int(count)
  }
}
