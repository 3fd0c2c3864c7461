import Exchange
import HTTPServer

/// The listening sockets of one attempt: both loopback families on one port, or 127.0.0.1 alone where there is no ::1.
///
/// Never one of two: whoever held the other would get the browser's answer. The server that takes them closes them.
struct CallbackSockets {
  /// How often another port is tried when the kernel's choice for 127.0.0.1 is taken on ::1.
  private static let tries = 8

  let port: UInt16
  let descriptors: [Int32]

  /// Binds what was registered, or one port that is free on both.
  init(_ listen: CallbackFrame.Listen) throws(LoopbackListener.Failure) {
    self = listen.anyPort ? try Self.onAnyPort() : try Self(port: Self.registeredPort(listen.authority))
  }

  private init(port: UInt16) throws(LoopbackListener.Failure) {
    let four = try LoopbackListener(.v4, port: port)
    self.port = four.port
    var six: Int32?
    do throws(LoopbackListener.Failure) {
      six = try LoopbackListener(.v6, port: four.port).release()
    } catch {
      guard error == .familyUnavailable else { throw error }
    }
    descriptors = [four.release()] + (six.map { [$0] } ?? [])
  }

  private static func onAnyPort() throws(LoopbackListener.Failure) -> Self {
    for _ in 1..<tries {
      do throws(LoopbackListener.Failure) {
        return try Self(port: 0)
      } catch {
        guard error == .portBusy else { throw error }
      }
    }
    return try Self(port: 0)
  }

  /// The port of `host:port`; http's own where none is written.
  private static func registeredPort(_ authority: String) -> UInt16 {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return 80 }
    return UInt16(authority[authority.index(after: colon)...]) ?? 80
  }
}
