import CLinux
import Glibc
package import Secrets

/// One end of the socket between daemon and courier: whole messages, none longer than ``Freight/maximumMessage``.
package enum Channel {
  package enum Failure: Error, Equatable, Sendable {
    /// Nothing to read, or no room to write, now.
    case wouldBlock
    /// The other end is closed.
    case closed
    /// Nothing came in time.
    case timedOut
    /// The other end sent what we do not speak, or there is no secret memory.
    case broken
  }

  /// Sends one message. On a blocking descriptor it waits for room.
  package static func send(_ message: borrowing SecretBytes, on descriptor: Int32) throws(Failure) {
    let sent = unsafe message.withUnsafeBytes { unsafe clinux_send_message(descriptor, $0.baseAddress, $0.count) }
    guard sent == message.count else { throw sent < 0 && errno == EAGAIN ? .wouldBlock : .closed }
  }

  /// Receives one message. On a blocking descriptor it waits for one.
  package static func receive(on descriptor: Int32) throws(Failure) -> SecretBytes {
    do {
      return unsafe try SecretBytes(capacity: Freight.maximumMessage) { room in
        let count = unsafe clinux_receive_message(descriptor, room.baseAddress, room.count)
        if count > 0 { return count }
        if count == 0 || errno == ECONNRESET { throw Failure.closed }
        throw errno == EAGAIN ? Failure.wouldBlock : .broken
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .broken
    }
  }

  /// Waits for the next message at most `milliseconds`, and receives it.
  package static func receive(on descriptor: Int32, within milliseconds: Int32) throws(Failure) -> SecretBytes {
    guard clinux_wait_readable(descriptor, milliseconds) == 1 else { throw .timedOut }
    return try receive(on: descriptor)
  }
}
