import EventLoop
import Glibc
import JSON
import Secrets
import Server
import Synchronization
import Wire

/// Answers at once, with the account it was asked for.
struct FakeGetAccessToken: MethodHandler {
  typealias Method = Wire.GetAccessToken

  let token: SecretBox

  init() throws {
    let text = Array("token-1".utf8)
    token = SecretBox(unsafe try SecretBytes(copying: text.span.bytes))
  }

  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    guard parameters.account != "nobody" else {
      return .refused(.almoner(.unknownAccount(account: "nobody", message: "Unknown.", help: "")))
    }
    return .now(
      Method.Reply(
        accessToken: token, tokenType: "Bearer", account: parameters.account ?? "only", issuer: "https://i.example",
        expiresIn: 60, generation: parameters.minValid ?? 1, shorter: false, refreshed: false))
  }
}

/// Answers when the test lets it, and tells when it began and when it was cancelled.
struct FakeRefresh: MethodHandler {
  typealias Method = Wire.Refresh

  let began = Latch<Void>()
  let cancelled = Latch<Void>()
  let go = Latch<Void>()

  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    .later { () async throws(ErrorReply) in
      began.settle(())
      do {
        try await go.wait()
      } catch {
        cancelled.settle(())
        throw .almoner(.busy(message: "cancelled", retryAfter: 1, help: ""))
      }
      return Method.Reply(account: parameters.account ?? "only", generation: 2, expiresIn: 60, refreshed: true)
    }
  }
}

/// Streams `refreshed` as often as the account's name says, then ends with `locked`; `endless` never ends.
struct FakeMonitor: MethodHandler {
  typealias Method = Wire.Monitor

  let cancelled = Latch<Int>()

  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    let count = parameters.account == "endless" ? Int.max : parameters.account.flatMap(Int.init) ?? 0
    let detail = String(repeating: "x", count: count == .max ? 1000 : 0)
    return .stream { (stream) async throws(ErrorReply) in
      for sent in 0..<count {
        do {
          try await stream.send(Method.Reply(event: .refreshed, detail: detail))
        } catch {
          cancelled.settle(sent)
          throw .almoner(.busy(message: "cancelled", retryAfter: 1, help: ""))
        }
      }
      return Method.Reply(event: .locked)
    }
  }
}

/// Works while locked, and counts.
struct FakeUnlock: MethodHandler {
  typealias Method = Wire.Unlock

  let worksWhileLocked = true
  let called = Latch<Void>()

  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    called.settle(())
    return .now(NoFields())
  }
}

/// Holds the loop itself until the test lets it go.
struct FakeLock: MethodHandler {
  typealias Method = Wire.Lock

  private let entered = Turnstile()
  private let left = Turnstile()

  func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    entered.open()
    left.pass()
    return .now(NoFields())
  }

  /// Returns when a call has stopped the loop.
  func waitUntilInside() { entered.pass() }

  func letGo() { left.open() }
}

/// Lets one through each time it is opened; blocks the thread of who comes before.
final class Turnstile: Sendable {
  private let reading: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(unsafe pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit { for end in [reading, writing] { close(end) } }

  func open() { _ = unsafe write(writing, [1], 1) }

  func pass() {
    var byte: UInt8 = 0
    while unsafe read(reading, &byte, 1) < 0 && errno == EINTR {}
  }
}
