import CLinux
package import EventLoop
import Exchange
import Glibc
import Secrets
import Time
package import Vault

/// The program `almoner-callback`, opened when the daemon starts, so that an upgrade cannot mix versions.
package final class CallbackProgram: Sendable {
  /// How long the child has to bind its port and confine itself.
  static let startLimit = Duration.seconds(5)

  private let descriptor: Int32
  private let loop: EventLoop
  private let user: UInt32

  /// Opens the program at `path`. Throws ``SystemError``.
  package init(path: String, loop: EventLoop, user: UInt32) throws(SystemError) {
    descriptor = unsafe clinux_open_program(path)
    guard descriptor >= 0 else { throw SystemError("open almoner-callback") }
    self.loop = loop
    self.user = user
  }

  deinit { Glibc.close(descriptor) }

  /// Starts a listener. Returns when the port is bound and the child is confined, or says why not.
  package func listen(_ request: ListenRequest) async throws(VaultError) -> any CallbackListening {
    let child: CallbackChild
    do {
      child = try CallbackChild(program: descriptor, loop: loop)
    } catch {
      throw .temporary(account: nil, message: "the callback listener cannot be started: \(error)", retryAfter: 5)
    }
    let listen = CallbackFrame.Listen(
      authority: request.authority, path: request.path, anyPort: request.anyPort,
      deadline: UInt32(clamping: request.life.wholeSeconds), uid: user)
    guard child.send(.listen(listen)) else { throw Self.failed("it is gone") }
    switch await child.next(until: loop.now + Self.startLimit) {
    case .listening(let port): return CallbackListener(child: child, port: port)
    case .portBusy:
      child.close()
      throw .signInFailed(
        .portBusy, message: "the registered port of \(request.authority) is taken by another program")
    case .failed(let code):
      child.close()
      throw Self.failed("errno \(code)")
    case .listen, .verdict, .query, nil:
      child.close()
      throw Self.failed("it said nothing within 5 s")
    }
  }

  private static func failed(_ why: String) -> VaultError {
    .temporary(account: nil, message: "the callback listener did not start: \(why)", retryAfter: 5)
  }
}

/// A listener in a child process.
private struct CallbackListener: CallbackListening {
  let child: CallbackChild
  let port: UInt16

  func nextQuery() async -> SecretBox? {
    while let frame = await child.next(until: nil) {
      if case .query(let query) = frame { return query }
    }
    return nil
  }

  func send(_ verdict: CallbackFrame.Verdict) { _ = child.send(.verdict(verdict)) }
  func close() { child.close() }
  func gone() async { await child.gone() }

  func giveWay() async {
    child.kill()
    await child.gone()
  }
}
