import CrashPoints
import EventLoop
import Glibc
import Journal
import Secrets
import Time

/// One running courier, as the daemon sees it. It belongs to the actor that started it.
final class CourierProcess: Sendable {
  /// Why there is no message.
  enum Silence: Error {
    /// The courier has ended, or closed its end.
    case gone
    case late
    /// It said what no courier of ours says.
    case nonsense
  }

  /// How long a killed process may take to be gone.
  private static let dying = Duration.seconds(2)

  let process: Int32
  private let channel: Int32
  private let child: ChildWatch
  private let loop: EventLoop

  init(_ program: CourierProgram, on loop: EventLoop) throws(SystemError) {
    let started = try program.start()
    do throws(SystemError) {
      child = try ChildWatch(started.process, on: loop)
    } catch {
      // Without its end of the channel it ends by itself; nobody has given it anything.
      close(started.channel)
      throw error
    }
    process = started.process
    channel = started.channel
    self.loop = loop
  }

  deinit { close(channel) }

  /// Sends a message. Returns why it could not be sent, or nil.
  func send(_ message: ToCourier) -> String? {
    let bytes: SecretBytes
    do throws(FieldError) {
      bytes = try Freight.encode(message)
    } catch {
      switch error {
      case .noMemory: return "there is no secret memory for the request"
      case .tooLong, .malformed: return "the request is too long to be carried"
      }
    }
    do {
      try Channel.send(bytes, on: channel)
      return nil
    } catch {
      return Silence.gone.text
    }
  }

  /// The next message, if it comes before `deadline`.
  func receive(until deadline: BootInstant) async throws(Silence) -> FromCourier {
    while true {
      do throws(Channel.Failure) {
        let message = try Channel.receive(on: channel)
        #if FAULTS
          if unsafe message.withUnsafeBytes({ unsafe CrashScene.heard($0) }) { continue }
        #endif
        return try Self.read(message)
      } catch {
        switch error {
        case .wouldBlock: try await waitReadable(until: deadline)
        case .closed: throw .gone
        case .timedOut, .broken: throw .nonsense
        }
      }
    }
  }

  /// Says "go" and follows the courier to its end, for at most `limit`.
  func depart(isJournaled: Bool, within limit: Duration) async -> Passage.Outcome {
    var passage = Passage(isJournaled: isJournaled)
    var deadline = loop.now + limit
    // Should the courier be gone, its last words say how it went.
    _ = send(.go)
    while true {
      do throws(Silence) {
        switch passage.heard(try await receive(until: deadline)) {
        case .wait: continue
        case .end(let outcome): return outcome
        }
      } catch {
        switch passage.fellSilent(error) {
        case .end(let outcome): return outcome
        case .killAndEnd(let outcome):
          kill()
          return outcome
        case .kill:
          kill()
          deadline = loop.now + Self.dying
        }
      }
    }
  }

  /// Ends it at once. Only before it departed, or when there is no journal: a departed one is left alone.
  func kill() { child.kill(SIGKILL) }

  /// Returns when the process has ended and was reaped.
  func ended() async {
    // Never cancelled: the task that waits here is nobody's child.
    do { _ = try await child.exit() } catch {}
  }

  private static func read(_ message: borrowing SecretBytes) throws(Channel.Failure) -> FromCourier {
    do {
      return try Freight.fromCourier(message)
    } catch {
      throw .broken
    }
  }

  private func waitReadable(until deadline: BootInstant) async throws(Silence) {
    let latch = Latch<Bool>()
    let timer = loop.schedule(at: deadline) { latch.settle(false) }
    defer { timer.cancel() }
    let registration: Registration
    do throws(SystemError) {
      registration = try loop.register(channel, .read) { _ in latch.settle(true) }
    } catch {
      throw .gone
    }
    defer { registration.cancel() }
    let isReadable: Bool
    do throws(CancellationError) {
      isReadable = try await latch.wait()
    } catch {
      // Called off while boarding; after that, whoever talks to a courier runs in a task that nobody cancels.
      throw .late
    }
    if !isReadable { throw .late }
  }
}
