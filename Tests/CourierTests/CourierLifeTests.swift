import Courier
import EventLoop
import Exchange
import Glibc
import Testing
import Vault

/// What a running courier is, seen from outside.
struct CourierLifeTests {
  @Test func `it is confined, in a session of its own, and ignores what ends a daemon`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    let flight = try await harbour.boarded(try harbour.request(server.port))
    let process = try #require(harbour.processes.first)
    let status = Self.status(process)
    #expect(status["NoNewPrivs"] == "1" && status["Seccomp"] == "2")
    #expect(getsid(process) == process)
    let ignored = UInt64(status["SigIgn"] ?? "", radix: 16) ?? 0
    for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] { #expect(ignored & 1 << UInt64(signal - 1) != 0) }
    #expect(status["SigBlk"] == "0000000000000000")
    await flight.abandon()
  }

  @Test func `it is reaped when it has ended`() async throws {
    let harbour = try Harbour()
    let server = try TestServer(answering: ok("{}"))
    _ = try await harbour.boarded(try harbour.request(server.port)).depart()
    await harbour.carrier.allEnded()
    let process = try #require(harbour.processes.first)
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func `a recalled flight ends although it departed, and lands nothing`() async throws {
    let harbour = try Harbour()
    let gate = Gate()
    let server = try TestServer { connection in
      gate.pass()
      say(ok("{}"), connection)
    }
    let flight = try await harbour.boarded(try harbour.request(server.port))
    let outcome = Task { await flight.depart() }
    _ = try await server.arrived.wait()
    await harbour.carrier.recall(harbour.context.account)
    await harbour.carrier.allEnded()
    #expect("\(await outcome.value)" == "unknown(\"the courier ended on the way\")")
    gate.open()
    #expect(try await harbour.journal.landing(harbour.context) == nil)
  }

  @Test func `an exchange that waits for its turn can be called off`() async throws {
    let harbour = try Harbour()
    let gate = Gate()
    let server = try TestServer { connection in
      gate.pass()
      say(ok("{}"), connection)
    }
    let request = try harbour.request(server.port)
    let first = (0..<CourierSlots.perOrigin).map { _ in Task { try await harbour.carrier.exchange(request) } }
    _ = try await server.arrived.wait()
    let late = Task { try await harbour.carrier.exchange(request) }
    late.cancel()
    await #expect(throws: CarrierError.self) { try await late.value }
    #expect(harbour.processes.count <= CourierSlots.perOrigin)
    for _ in first { gate.open() }
    for task in first { #expect(try await task.value.status == 200) }
  }

  private static func status(_ process: Int32) -> [String: String] {
    let descriptor = unsafe open("/proc/\(process)/status", O_RDONLY)
    defer { close(descriptor) }
    var room = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(descriptor, &room, room.count)
    let lines = String(decoding: room[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    let fields = lines.map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
    return Dictionary(
      fields.map { (String($0[0]), String($0[1].drop { $0 == "\t" || $0 == " " })) }, uniquingKeysWith: { a, _ in a })
  }
}
