package import EventLoop
package import Systemd
import Time

/// Owns `org.almoner.Almoner1` on the person's message bus, where there is one: `Status` and the signal `Changed`.
///
/// Nothing depends on it. A bus that is missing, hangs, or goes away is only looked for again. Never hands out a token:
/// the bus is no place for one, and this target cannot reach any.
package actor DesktopPresence {
  package static let name = "org.almoner.Almoner1"
  package static let path = "/org/almoner/Almoner1"

  /// So many calls are answered before the loop looks at other descriptors.
  private static let callsPerTurn = 32

  private let loop: EventLoop
  private let address: BusAddress?
  private let object: BusObject
  private var machine = PresenceMachine()
  private var link: Link?

  /// The connection and what watches it, made and dropped together.
  private struct Link {
    let registration: Registration
    let connection: BusConnection
    var timer: LoopTimer?
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// `status` runs on the loop, once for each call of `Status`. Without an address nothing ever happens.
  package init(_ loop: EventLoop, address: BusAddress?, status: @escaping @Sendable () -> DesktopStatus) {
    self.loop = loop
    self.address = address
    object = BusObject(path: Self.path, interface: Self.name, description: Self.description) { member in
      member == "Status" ? status().reply : nil
    }
  }

  /// Begins to connect. Returns at once.
  package func start() {
    if address != nil { perform(machine.started()) }
  }

  /// Emits `Changed` when we are on the bus.
  package func announceChange() {
    if address != nil { perform(machine.changed()) }
  }

  /// Leaves the bus for good.
  package func stop() { perform(machine.stopped()) }

  private func perform(_ action: PresenceMachine.Action) {
    switch action {
    case .nothing: break
    case .connect: connect()
    case .disconnect: drop()
    case .retry(let pause): _ = schedule(after: pause) { $0.perform($0.machine.retryDue()) }
    case .emitChange:
      guard let link else { return }
      attempt { () throws(BusError) in try link.connection.emit("Changed", of: object) }
    }
  }

  private func connect() {
    guard let address else { return }
    do {
      let connection = try BusConnection(to: address, exporting: [object], as: Self.name)
      let registration = try loop.register(connection.descriptor(), .read) { [weak self] _ in
        self?.assumeIsolated { $0.turn() }
      }
      link = Link(registration: registration, connection: connection)
      attempt {}
    } catch {
      perform(machine.lost())
    }
  }

  /// The descriptor is ready, or the library's patience is over.
  private func turn() {
    guard let connection = link?.connection else { return }
    attempt { () throws(BusError) in
      for _ in 0..<Self.callsPerTurn { if try !connection.process() { break } }
      if connection.name == .granted { machine.arrived() }
    }
  }

  /// Runs `body`, then waits for what the connection waits for. Whatever fails ends the connection.
  private func attempt(_ body: () throws(BusError) -> Void) {
    do {
      try body()
      try rearm()
    } catch {
      drop()
      perform(machine.lost())
    }
  }

  private func rearm() throws(BusError) {
    guard let link else { return }
    let awaits = try link.connection.awaits()
    link.registration.update([awaits.reading ? .read : [], awaits.writing ? .write : []])
    link.timer?.cancel()
    let patience = try link.connection.patience()
    self.link?.timer = patience.map { schedule(after: $0) { $0.turn() } }
  }

  private func schedule(after pause: Duration, _ body: @escaping @Sendable (isolated DesktopPresence) -> Void)
    -> LoopTimer
  {
    loop.schedule(at: loop.now + pause) { [weak self] in self?.assumeIsolated { body($0) } }
  }

  private func drop() {
    // In this order: the descriptor belongs to the connection and may not close while it is watched.
    link?.timer?.cancel()
    link?.registration.cancel()
    link = nil
  }

  private static let description = """
    <method name="Status"><arg name="status" type="a{sv}" direction="out"/></method><signal name="Changed"/>
    """
}
