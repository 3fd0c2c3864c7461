import AlmonerClient
import Glibc
import Testing
import Wire

@Suite struct EventStreamTests {
  private let watching = Wire.Monitor.Reply(event: .watching)
  private let refreshed = Wire.Monitor.Reply(event: .refreshed, account: "work", generation: 4, detail: "d")

  @Test func `events come in order`() throws {
    let daemon = try ScriptedDaemon([.streams([watching, refreshed, Wire.Monitor.Reply(event: .locked)])])
    var events = try events(of: daemon)
    let first = try events.next()
    let second = try events.next()
    #expect(first.kind == .refreshed)
    #expect(first.account == "work")
    #expect(first.generation == 4)
    #expect(first.detail == "d")
    #expect(second.kind == .locked)
  }

  @Test func `the call asks for more`() throws {
    let daemon = try ScriptedDaemon([.streams([watching])])
    _ = try events(of: daemon)
    #expect(daemon.received.map(\.mode) == [.more])
  }

  @Test func `an event that a newer daemon has comes by its word`() throws {
    let daemon = try ScriptedDaemon([.streams([watching, Wire.Monitor.Reply(event: Wire.Event(rawValue: "newer"))])])
    var events = try events(of: daemon)
    let event = try events.next()
    #expect(event.kind.rawValue == "newer")
  }

  @Test func `no event within the time is nil`() throws {
    let daemon = try ScriptedDaemon([.streams([watching])])
    var events = try events(of: daemon)
    let event = try events.next(within: .milliseconds(1))
    #expect(event == nil)
  }

  @Test func `a daemon that ends ends the stream`() throws {
    let daemon = try ScriptedDaemon([.replies([watching])])
    var events = try events(of: daemon)
    do throws(AlmonerClientError) {
      let event = try events.next()
      Issue.record("an event came: \(event)")
    } catch {
      #expect(error == .disconnected)
    }
  }

  @Test func `a stream that starts with something else is not understood`() throws {
    let daemon = try ScriptedDaemon([.streams([refreshed])])
    #expect(throws: AlmonerClientError.unintelligible("the first event is not \"watching\"")) {
      _ = try events(of: daemon)
    }
  }

  @Test func `events of an account that is not there are refused`() throws {
    let error = AlmonerError.unknownAccount(account: "x", message: "m", help: "h")
    let daemon = try ScriptedDaemon([.fails(.almoner(error))])
    #expect {
      _ = try events(of: daemon)
    } throws: { error in
      guard case .refused(let refusal) = error as? AlmonerClientError else { return false }
      return refusal.reason == .unknownAccount
    }
  }

  private func events(of daemon: ScriptedDaemon) throws -> EventStream {
    try AlmonerClient.connect(to: daemon.path, user: geteuid()).events(account: nil)
  }
}
