import Exchange
import Glibc
import Secrets

/// The socket to the daemon.
final class DaemonChannel {
  /// What came over it.
  enum Arrival {
    case verdict(CallbackFrame.Verdict)
    /// Nothing yet.
    case nothing
    /// The daemon closed it, or wrote what is no frame for us: there is nobody to work for.
    case ended
  }

  let descriptor: Int32
  private var received: [UInt8] = []

  /// Nil when the descriptor is no stream socket.
  init?(descriptor: Int32) {
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0, kind == SOCK_STREAM.rawValue,
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    self.descriptor = descriptor
  }

  /// Waits for the first frame, at most 5 s. Nil: none came, or another.
  func receiveListen() -> CallbackFrame.Listen? {
    let deadline = BootTime.now + .seconds(5)
    while true {
      guard let frame = readFrame() else { return nil }
      switch frame {
      case .some(.listen(let listen)): return listen
      case .some: return nil
      case .none: guard wait(POLLIN, until: deadline) else { return nil }
      }
    }
  }

  /// The next verdict, without waiting.
  func receiveVerdict() -> Arrival {
    guard let frame = readFrame() else { return .ended }
    switch frame {
    case .some(.verdict(let verdict)): return .verdict(verdict)
    case .some: return .ended
    case .none: return .nothing
    }
  }

  /// Sends a frame whole. False: the daemon is gone, or has not read for a second.
  func send(_ frame: CallbackFrame) -> Bool {
    let deadline = BootTime.now + .seconds(1)
    do {
      let bytes = try frame.encoded()
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { all in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
          return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          sent += count
        } else {
          guard count < 0, errno == EAGAIN || errno == EINTR, wait(POLLOUT, until: deadline) else { return false }
        }
      }
      return true
    } catch {
      return false
    }
  }

  /// Outer nil: the channel has ended. Inner nil: no frame is whole yet.
  private func readFrame() -> CallbackFrame?? {
    do {
      while true {
        if let (frame, count) = try unsafe received.withUnsafeBytes({ unsafe try CallbackFrame.decode($0) }) {
          received.removeFirst(count)
          return .some(frame)
        }
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &piece, piece.count, 0)
        if count > 0 {
          received += piece[..<count]
        } else if count < 0, errno == EINTR {
          continue
        } else {
          return count < 0 && errno == EAGAIN ? .some(nil) : nil
        }
      }
    } catch {
      return nil
    }
  }

  private func wait(_ events: Int32, until deadline: Duration) -> Bool {
    let rest = deadline - BootTime.now
    guard rest > .zero else { return false }
    var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return unsafe poll(&watched, 1, BootTime.pollTimeout(rest)) >= 0
  }
}
