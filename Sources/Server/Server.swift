package import EventLoop
import Glibc
package import LocalSocket
import Secrets
import Time
import Wire

/// The varlink server: connections, their calls in order, and the limits that hold for them.
///
/// It knows no method. What a call does is a ``MethodHandler``'s; who may call is decided here: our own user only, and
/// while locked only the few methods that say so.
package actor Server {
  nonisolated package let loop: EventLoop
  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  let limits: ServerLimits
  let registry: MethodRegistry
  private let user: UInt32
  /// Asked on the loop before every call.
  let isLocked: @Sendable () -> Bool

  var connections: [UInt64: Connection] = [:]
  private var peers: [Int32: Int] = [:]
  private var door: Door?
  private var lastID: UInt64 = 0
  /// Connections with more calls than one turn answers, in the order in which they are served.
  var backlog = Backlog()
  /// Storage for reading that idle connections lend each other.
  var spare = WipedBuffer()

  package init(
    _ registry: MethodRegistry, limits: ServerLimits, user: UInt32, loop: EventLoop,
    isLocked: @escaping @Sendable () -> Bool
  ) {
    self.registry = registry
    self.limits = limits
    self.user = user
    self.loop = loop
    self.isLocked = isLocked
  }

  /// How many connections there are.
  package var connectionCount: Int { connections.count }

  /// Serves who connects to `listener`. Throws ``SystemError``.
  package func serve(_ listener: LocalListener) throws(SystemError) {
    door = try Door(listener, on: loop) { [weak self] in self?.assumeIsolated { $0.accept() } }
  }

  /// Accepts nobody any more; who is connected stays.
  package func closeDoor() { door = nil }

  /// Closes the door and every connection; running calls are cancelled.
  package func closeAll() {
    closeDoor()
    for connection in connections.values { close(connection) }
  }

  /// Takes over a connected, non-blocking socket. Who is not our user is turned away before a byte is read.
  package func adopt(_ descriptor: Int32) {
    guard let peer = Peer(of: descriptor), peer.user == user else {
      Glibc.close(descriptor)
      return
    }
    guard peers[peer.process, default: 0] < limits.connectionsPerPeer else { return Door.turnAway(descriptor) }
    lastID += 1
    let id = lastID
    let connection = Connection(id, descriptor, peer, limits)
    do {
      connection.registration = try loop.register(descriptor, .read) { [weak self] ready in
        self?.assumeIsolated { $0.ready(id, ready) }
      }
    } catch {
      // The kernel cannot watch it: let it go.
      return
    }
    connections[id] = connection
    peers[peer.process, default: 0] += 1
  }

  private func accept() {
    for _ in 0..<limits.acceptsPerTurn {
      guard connections.count < limits.connections else {
        door?.pause()
        return
      }
      switch door?.accept() {
      case nil, .nobody: return
      case .connected(let descriptor): adopt(descriptor)
      case .exhausted:
        door?.pause()
        _ = loop.schedule(at: loop.now + limits.acceptPause) { [weak self] in
          self?.assumeIsolated { $0.door?.resume() }
        }
        return
      }
    }
  }

  /// Drops a connection: its running call is cancelled, its buffers are wiped.
  func close(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    connection.registration?.cancel()
    connection.frameTimer?.cancel()
    connection.answerTimer?.cancel()
    if let running = connection.task {
      running.deadline?.cancel()
      if !running.survivesCaller { running.task.cancel() }
    }
    connection.drained?.resume(returning: false)
    connection.drained = nil
    connection.conversation.end()
    let process = connection.peer.process
    if let count = peers[process] { peers[process] = count > 1 ? count - 1 : nil }
    door?.resume()
  }
}

// Input and output.
extension Server {
  private func ready(_ id: UInt64, _ readiness: Readiness) {
    guard let connection = connections[id] else { return }
    if readiness.hasInput { read(connection) }
    if readiness.isGone { return close(connection) }
    pump(connection)
  }

  private func read(_ connection: Connection) {
    guard connection.wantsInput else { return }
    // Given back in `settle`, unless part of a frame stays in it.
    connection.inbox.borrow(&spare)
    switch connection.inbox.read(connection.descriptor, atMost: limits.bytesPerTurn) {
    case .bytes, .nothing: return
    case .end: connection.conversation.endInput()
    case .broken: close(connection)
    }
  }
}
