import Courier
import EventLoop
import Exchange
import Glibc
import Journal
import Testing
import Time
import Vault

/// Journaled flights, each by a real courier: what becomes of the answer, whoever dies when.
struct FlightTests {
  @Test func `the answer lands on the pad`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{\"refresh_token\":\"r2\"}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    #expect("\(await flight.depart())" == "landed")
    #expect(text(try await harbour.journal.landing(harbour.context)) == "{\"refresh_token\":\"r2\"}")
  }

  @Test func `the pad stays as the redo copy when the intent is idle again`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{\"n\":1}"))
    _ = try await harbour.boarded(try harbour.request(server.port)).depart()
    let idle = IdleIntent(generation: 4, flight: 1, tokenHash: [UInt8](repeating: 9, count: 32))
    try await harbour.journal.settle(idle, harbour.context)
    #expect(text(try await harbour.journal.read(harbour.context).pad) == "{\"n\":1}")
  }

  @Test(arguments: [true, false])
  func `the journal says whether less was asked for, while it flies and when it is idle again`(_ isNarrowed: Bool)
    async throws
  {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{\"n\":1}"))
    _ = try await harbour.boarded(try harbour.request(server.port), isNarrowed: isNarrowed).depart()
    let flown = try await harbour.journal.read(harbour.context)
    guard case .sending(let intent) = flown.intent else { throw SystemError("no intent", EINVAL) }
    #expect(intent.isNarrowed == isNarrowed && flown.isNarrowed == isNarrowed)
    let idle = IdleIntent(generation: 4, flight: 1, tokenHash: [UInt8](repeating: 9, count: 32))
    try await harbour.journal.settle(idle, harbour.context)
    let reading = try await harbour.journal.read(harbour.context)
    #expect(reading.isNarrowed == isNarrowed && reading.pad != nil)
  }

  @Test func `nothing is sent before the intent is written`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    await flight.abandon()
    await harbour.carrier.allEnded()
    let reading = try await harbour.journal.read(harbour.context)
    #expect(!reading.departed && !reading.isFlying)
  }

  @Test func `while a courier flies the journal says so`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    #expect(try await harbour.journal.read(harbour.context).isFlying)
    await flight.abandon()
  }

  @Test func `a second courier of the account does not start`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    await #expect(throws: CarrierError.notSent("another courier of this account is flying")) {
      _ = try await harbour.carrier.board(try harbour.request(server.port), harbour.ticket(2))
    }
    await flight.abandon()
  }

  @Test func `a courier killed before "go" sent nothing`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    for process in harbour.processes { kill(process, SIGKILL) }
    #expect("\(await flight.depart())" == "notSent(\"the courier ended before it sent anything\")")
    #expect(try await !harbour.journal.read(harbour.context).departed)
  }

  @Test func `a courier killed after sending leaves the fate unknown`() async throws {
    let harbour = try Harbour()
    let gate = Gate()
    let server = try TestServer { _ in gate.pass() }
    let flight = try await harbour.boarded(try harbour.request(server.port))
    async let outcome = flight.depart()
    _ = try await server.arrived.wait()
    for process in harbour.processes { kill(process, SIGKILL) }
    #expect("\(await outcome)" == "unknown(\"the courier ended on the way\")")
    #expect(try await harbour.journal.read(harbour.context).departed)
    gate.open()
  }

  @Test func `a server that closes after the request leaves the fate unknown`() async throws {
    let harbour = try Harbour()
    let server = try TestServer { _ in }
    let outcome = try await harbour.boarded(try harbour.request(server.port)).depart()
    guard case .unknown = outcome else { throw Unexpected(what: "\(outcome)") }
  }

  @Test func `a server that is not there was sent nothing`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    server.stop()
    try await harbour.journal.prepare(harbour.context)
    await #expect { _ = try await harbour.carrier.board(try harbour.request(server.port), harbour.ticket()) } throws: {
      if case .notSent? = $0 as? CarrierError { true } else { false }
    }
  }

  @Test func `the answer lands although the daemon is gone after "go"`() async throws {
    let harbour = try Harbour()
    let gate = Gate()
    let server = try TestServer { connection in
      gate.pass()
      say(ok("{\"late\":1}"), connection)
    }
    try await harbour.journal.prepare(harbour.context)
    try await harbour.journal.write(harbour.intent(), harbour.context)
    let dialogue = try Dialogue(harbour, try harbour.request(server.port))
    try dialogue.untilConnected()
    try dialogue.send(.go)
    _ = try await server.arrived.wait()
    dialogue.hangUp()
    gate.open()
    await harbour.journal.courierGone(harbour.context.account)
    let reading = try await harbour.journal.read(harbour.context)
    #expect(text(reading.pad) == "{\"late\":1}" && reading.departed)
  }

  @Test func `a daemon gone before "go" takes the courier with it`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    try await harbour.journal.prepare(harbour.context)
    try await harbour.journal.write(harbour.intent(), harbour.context)
    let dialogue = try Dialogue(harbour, try harbour.request(server.port))
    try dialogue.untilConnected()
    dialogue.hangUp()
    await harbour.journal.courierGone(harbour.context.account)
    let reading = try await harbour.journal.read(harbour.context)
    #expect(!reading.departed && reading.pad == nil)
  }
}

struct Unexpected: Error { let what: String }
