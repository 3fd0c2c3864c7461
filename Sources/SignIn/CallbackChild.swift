import CLinux
import EventLoop
import Exchange
import Glibc
import Secrets
import Synchronization
import Time

/// One running `almoner-callback` and the socket to it.
final class CallbackChild: Sendable {
  /// Bytes read at once.
  static let readSize = 4096

  private let channel: Int32
  private let watch: ChildWatch
  private let loop: EventLoop
  private let received = Mutex(WipedBuffer())
  private let isClosed = Atomic<Bool>(false)

  /// Starts the child. Throws ``SystemError``.
  init(program: Int32, loop: EventLoop) throws(SystemError) {
    var pair: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw SystemError("socketpair")
    }
    let process = unsafe clinux_spawn(program, "almoner-callback", pair[1])
    let failure = errno
    Glibc.close(pair[1])
    guard process > 0 else {
      Glibc.close(pair[0])
      throw SystemError("spawn", failure)
    }
    _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
    channel = pair[0]
    self.loop = loop
    do throws(SystemError) {
      watch = try ChildWatch(process, on: loop)
    } catch {
      Glibc.close(channel)
      throw error
    }
    // It outlives the attempt by a moment, and whoever let go of the watch before would leave a zombie.
    Task(executorPreference: loop) { [watch] in
      do { _ = try await watch.exit() } catch {}
    }
  }

  deinit { Glibc.close(channel) }

  /// Sends a frame. All of it fits the socket's buffer; false when the child is gone.
  func send(_ frame: CallbackFrame) -> Bool {
    do {
      let bytes = try frame.encoded()
      let sent = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      return sent == bytes.count
    } catch {
      return false
    }
  }

  /// The next frame, or nil when the child is gone, said nonsense, or `deadline` came.
  func next(until deadline: BootInstant?) async -> CallbackFrame? {
    let timer = deadline.map { loop.schedule(at: $0) { self.close() } }
    defer { timer?.cancel() }
    while !isClosed.load(ordering: .acquiring) {
      do {
        if let frame = try takeFrame() { return frame }
        _ = try await loop.readiness(of: channel, .read)
        guard fill() else { return nil }
      } catch {
        return nil
      }
    }
    return nil
  }

  /// Ends the child's waiting: it exits when the socket closes its end.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    shutdown(channel, Int32(SHUT_RDWR))
  }

  /// Returns when the child is gone, and its port free.
  func gone() async {
    do { _ = try await watch.exit() } catch { return }
  }

  /// Ends the child at once, whatever it still has to show.
  func kill() { watch.kill(SIGKILL) }

  private func takeFrame() throws -> CallbackFrame? {
    try received.withLock { buffer in
      guard let (frame, count) = unsafe try buffer.withUnsafeBytes({ unsafe try CallbackFrame.decode($0) }) else {
        return nil
      }
      buffer.consume(count)
      return frame
    }
  }

  /// Reads what is there. False at the end.
  private func fill() -> Bool {
    received.withLock { buffer in
      let count = unsafe buffer.append(room: Self.readSize) { room in
        max(0, unsafe recv(channel, room.baseAddress, room.count, 0))
      }
      return count > 0
    }
  }
}
