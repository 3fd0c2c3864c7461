import Server
import Testing

/// Who sends many calls at once is answered between others, not before them.
@Suite struct FairnessTests {
  /// The loop stands still while a `Lock` runs, so that what is there can be counted.
  @Test(arguments: [1, 4])
  func `E2 who pipelines and never reads gets a few answers, then it is the next one's turn`(most: Int) async throws {
    let harness = try Harness {
      $0.answersPerTurn = most
      $0.backlogPerTurn = 10
    }
    let (first, greedy, modest) = (
      try await harness.connect(), try await harness.connect(), try await harness.connect()
    )
    first.send(RawClient.frame("Lock"))
    harness.lock.waitUntilInside()
    greedy.send(String(repeating: RawClient.frame("GetAccessToken"), count: 100))
    modest.send(RawClient.frame("Lock"))
    harness.lock.letGo()
    harness.lock.waitUntilInside()
    #expect(greedy.answersThere() == most)
    harness.lock.letGo()
    #expect(modest.receive() != nil)
    for _ in most..<100 { #expect(greedy.receive()?.contains("token-1") == true) }
  }

  @Test func `a backlog is served in slices, and who is ready comes in between`() async throws {
    let harness = try Harness {
      $0.answersPerTurn = 2
      $0.backlogPerTurn = 6
    }
    var greedy: [RawClient] = []
    for _ in 0..<5 { greedy.append(try await harness.connect()) }
    let (first, modest, last) = (
      try await harness.connect(), try await harness.connect(), try await harness.connect()
    )
    first.send(RawClient.frame("Lock"))
    harness.lock.waitUntilInside()
    for client in greedy { client.send(String(repeating: RawClient.frame("GetAccessToken"), count: 50)) }
    modest.send(RawClient.frame("Lock"))
    harness.lock.letGo()
    harness.lock.waitUntilInside()
    last.send(RawClient.frame("Lock"))
    harness.lock.letGo()
    harness.lock.waitUntilInside()
    // Two each when they came; then it was `last` who was ready.
    let atOnce = greedy.reduce(0) { $0 + $1.answersThere() }
    #expect(atOnce == 10)
    modest.send(RawClient.frame("Lock"))
    harness.lock.letGo()
    harness.lock.waitUntilInside()
    let slice = greedy.reduce(0) { $0 + $1.answersThere() }
    #expect(slice == 6)
    harness.lock.letGo()
  }

  @Test func `who closes its half behind many calls gets all answers, then the end`() async throws {
    let harness = try Harness {
      $0.answersPerTurn = 3
      $0.queuedCalls = 2
    }
    let client = try await harness.connect()
    client.send(String(repeating: RawClient.frame("GetAccessToken"), count: 40))
    client.halfClose()
    for _ in 0..<40 { #expect(client.receive()?.contains("token-1") == true) }
    #expect(client.isClosed())
  }

  @Test func `a connection that goes while it is in the backlog is forgotten`() async throws {
    let harness = try Harness { $0.answersPerTurn = 1 }
    let other = try await harness.connect()
    do {
      let client = try await harness.connect()
      client.send(String(repeating: RawClient.frame("GetAccessToken"), count: 200))
    }
    while await harness.server.connectionCount > 1 { await Task.yield() }
    #expect(other.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `however many descriptors there are, one process gets a fixed share at most`() {
    #expect(ServerLimits(descriptors: 100).connectionsPerPeer == 50)
    let limits = ServerLimits(descriptors: 1 << 20)
    #expect(limits.connectionsPerPeer == ServerLimits.mostPerPeer && limits.connections == ServerLimits.mostConnections)
  }
}
