import CLinux
import EventLoop
import Glibc
import LocalSocket
import Secrets
import Server
import Testing
import Wire

/// Cases E2, E6 and E7: what a peer can make the server wait for or keep.
@Suite struct LimitTests {
  @Test func `E2 a frame that does not end in time closes its connection and no other`() async throws {
    let harness = try Harness { $0.unfinishedFrame = .milliseconds(20) }
    let (slow, idle) = (try await harness.connect(), try await harness.connect())
    #expect(idle.call("GetAccessToken") != nil)
    slow.send("{")
    #expect(slow.isClosed())
    #expect(idle.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `E2 a frame's time runs from its first byte, however slowly the others come`() async throws {
    let harness = try Harness { $0.unfinishedFrame = .milliseconds(100) }
    let client = try await harness.connect()
    // One byte a turn of the loop.
    while client.send(" ") { _ = await harness.server.connectionCount }
    #expect(client.isClosed())
  }

  @Test func `E2 answers that nobody reads close the connection`() async throws {
    let harness = try Harness { $0.unreadAnswer = .milliseconds(20) }
    let client = try await harness.connect()
    client.send(RawClient.frame("Monitor", #"{"account":"endless"}"#, #","more":true"#))
    await harness.emptied()
    #expect(try await harness.monitor.cancelled.wait() > 0)
  }

  @Test func `a stream waits for a reader that is slow`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(RawClient.frame("Monitor", #"{"account":"5000"}"#, #","more":true"#))
    for _ in 0..<5000 { #expect(client.receive()?.contains(#""continues":true"#) == true) }
    #expect(client.receive()?.contains(#""locked""#) == true)
  }

  @Test func `a call that runs too long is answered for, and the connection goes on`() async throws {
    let harness = try Harness { $0.call = .milliseconds(20) }
    let client = try await harness.connect()
    #expect(client.call("Refresh")?.contains("org.almoner.Almoner.Temporary") == true)
    try await harness.refresh.cancelled.wait()
    #expect(client.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test(arguments: [1, 253])
  func `E6 descriptors that come along close the connection and are not kept`(count: Int) async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    #expect(client.send(descriptors: count, of: ends[1]))
    close(ends[1])
    #expect(client.isClosed())
    // Nobody holds the writing end any more, so reading ends.
    var byte: UInt8 = 0
    #expect(unsafe read(ends[0], &byte, 1) == 0)
    close(ends[0])
  }

  @Test func `E7 one process gets no more than its share of connections, and its share again when it lets go`()
    async throws
  {
    let harness = try Harness { $0.connectionsPerPeer = 4 }
    var clients: [RawClient] = []
    for _ in 0..<4 { clients.append(try await harness.connect()) }
    let tooMuch = try await harness.connect()
    #expect(tooMuch.receive()?.contains("org.almoner.Almoner.Busy") == true)
    #expect(tooMuch.isClosed())
    clients.removeLast()
    while await harness.server.connectionCount > 3 { await Task.yield() }
    #expect(try await harness.connect().call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `E7 when all places are taken others wait at the door until one is free`() async throws {
    let harness = try Harness { $0.connections = 2 }
    let place = try Place()
    try await harness.server.serve(place.listener)
    var clients: [RawClient] = []
    for _ in 0..<3 { clients.append(try place.connect()) }
    #expect(clients[0].call("GetAccessToken") != nil)
    #expect(clients[1].call("GetAccessToken") != nil)
    clients[2].send(RawClient.frame("GetAccessToken"))
    clients.removeFirst()
    #expect(clients[1].receive()?.contains("token-1") == true)
  }

  @Test func `another user is turned away before a byte is read`() async throws {
    let harness = try Harness(user: getuid() + 1)
    let client = try await harness.connect()
    #expect(client.isClosed())
    #expect(await harness.server.connectionCount == 0)
  }
}
