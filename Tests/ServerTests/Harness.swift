import EventLoop
import Glibc
import LocalSocket
import Server
import Synchronization
import Testing

/// A server with handlers that a test controls, on a loop of its own.
final class Harness: Sendable {
  let thread: LoopThread
  let server: Server
  let refresh = FakeRefresh()
  let monitor = FakeMonitor()
  let unlock = FakeUnlock()
  let lock = FakeLock()
  let isLocked: Switch

  final class Switch: Sendable {
    private let state = Atomic<Bool>(false)
    var isOn: Bool {
      get { state.load(ordering: .acquiring) }
      set { state.store(newValue, ordering: .releasing) }
    }
  }

  init(user: UInt32 = getuid(), _ adjust: (inout ServerLimits) -> Void = { _ in }) throws {
    var limits = ServerLimits(descriptors: 1024)
    adjust(&limits)
    let isLocked = Switch()
    self.isLocked = isLocked
    thread = try LoopThread(name: "server")
    let registry = MethodRegistry([
      try FakeGetAccessToken(), refresh, monitor, unlock, lock, GetInfoHandler(version: "1"),
      GetInterfaceDescriptionHandler(),
    ])
    server = Server(registry, limits: limits, user: user, loop: thread.loop) { isLocked.isOn }
  }

  deinit { thread.stop() }

  func connect() async throws -> RawClient {
    let (client, far) = try RawClient.pair(of: self)
    await server.adopt(far)
    return client
  }

  /// Returns when the server has no connection left.
  func emptied() async {
    while await server.connectionCount > 0 { await Task.yield() }
  }
}
