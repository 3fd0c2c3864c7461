import CLinux
import Configuration
import Courier
import EventLoop
import Exchange
import Glibc
import Secrets
import Sodium
import Synchronization
import Time
import Vault

/// A carrier with its journal in a directory of its own, and an account to fly for.
final class Harbour: Sendable {
  let loop: EventLoop
  let journal: FileJournal
  let carrier: CourierCarrier
  let program: CourierProgram
  let context: JournalContext
  let flightKey: SecretBox
  let directory: String
  private let thread: LoopThread
  private let temporary: TemporaryDirectory
  private let started: Started

  /// The process ids of the couriers so far.
  var processes: [Int32] { started.processes.withLock { $0 } }

  init(_ limits: CourierLimits = CourierLimits()) throws {
    try Sodium.start()
    thread = try LoopThread(name: "test-loop")
    loop = thread.loop
    temporary = try TemporaryDirectory()
    directory = temporary.path + "/almoner/journal"
    journal = FileJournal(
      in: try PrivateDirectory(temporary.path + "/almoner"), user: geteuid(),
      storage: try ThreadExecutor(name: "test-storage"))
    program = try CourierProgram(path: builtProgram("almoner-courier"))
    let started = Started()
    self.started = started
    carrier = CourierCarrier(
      program: program, journal: journal, machine: "machine", user: geteuid(), limits: limits, loop: loop
    ) { process in started.processes.withLock { $0.append(process) } }
    guard let account = AccountID("0123456789abcdef0123456789abcdef") else { throw SystemError("account", EINVAL) }
    context = JournalContext(
      account: account, issuer: "https://issuer.example", machine: "machine", user: geteuid(),
      journalKey: SecretBox(try Random.secret(count: 32)))
    flightKey = SecretBox(try Random.secret(count: 32))
  }

  /// Leaves no child behind: one that nobody reaps would keep the exit tests of this process waiting.
  deinit {
    thread.stop()
    for process in processes where waitpid(process, nil, WNOHANG) == 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  func ticket(_ flight: UInt64 = 1) -> FlightTicket {
    FlightTicket(
      account: context.account, issuer: context.issuer, generation: 3, flight: flight, flightKey: flightKey)
  }

  func intent(_ flight: UInt64 = 1, isNarrowed: Bool = false) -> SendingIntent {
    SendingIntent(
      generation: 3, flight: flight, flightKey: flightKey, tokenHash: [UInt8](repeating: 7, count: 32),
      boot: BootID(high: 1, low: 2), sentAt: loop.now, sentWall: WallInstant(seconds: 1), sends: 1,
      earlier: nil, isNarrowed: isNarrowed)
  }

  /// R1–R3: a flight that waits for "go".
  func boarded(_ request: OutgoingRequest, isNarrowed: Bool = false) async throws -> any Flight {
    try await journal.prepare(context)
    let flight = try await carrier.board(request, ticket())
    try await journal.write(intent(isNarrowed: isNarrowed), context)
    return flight
  }

  /// A token request to the server.
  func request(_ port: UInt16, _ path: String = "/token/") throws -> OutgoingRequest {
    let body = unsafe SecretBox(try SecretBytes(copying: Array("{\"refresh_token\":\"r1\"}".utf8).span.bytes))
    return OutgoingRequest(
      .post, "http://127.0.0.1:\(port)\(path)", contentType: .json, body: body,
      egress: EgressPolicy(plainLoopback: true))
  }

  private final class Started: Sendable {
    let processes = Mutex<[Int32]>([])
  }
}

/// The body of an answer, for comparing.
func text(_ answer: HTTPAnswer?) -> String? {
  answer.map { unsafe $0.body.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

/// A complete answer.
func ok(_ body: String, _ fields: String = "") -> String {
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
