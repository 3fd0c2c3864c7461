import CSystemd
import Glibc

/// A connection to a message bus (sd-bus) that never blocks. It belongs to one thread, which waits for its descriptor.
///
/// After each call, and each time the descriptor is ready or ``patience`` is over, call ``process()`` and look at
/// ``awaits`` and ``patience`` again.
@safe package final class BusConnection {
  private let bus: OpaquePointer
  private let objects: [BusObject]
  private var naming: Naming = .unasked

  /// How far the request for our name is.
  package enum Naming: Equatable, Sendable {
    case unasked
    case requested
    /// It is ours, or will be when its present owner goes.
    case granted
    case refused
  }

  /// Begins to connect, and asks for `name` as soon as the bus has let us in. Throws ``BusError`` when there is no bus.
  package init(to address: BusAddress, exporting objects: [BusObject], as name: String) throws(BusError) {
    var made: OpaquePointer?
    try BusError.check(unsafe sd_bus_new(&made), "sd_bus_new")
    guard let bus = unsafe made else { throw BusError(call: "sd_bus_new", code: ENOMEM) }
    unsafe self.bus = bus
    self.objects = objects
    // From here on `deinit` closes the connection, also when one of these throws.
    try BusError.check(unsafe sd_bus_set_address(bus, address.text), "sd_bus_set_address")
    try BusError.check(unsafe sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
    try BusError.check(unsafe sd_bus_negotiate_fds(bus, 0), "sd_bus_negotiate_fds")
    try BusError.check(unsafe sd_bus_start(bus), "sd_bus_start")
    try export()
    try request(name)
  }

  deinit { unsafe sd_bus_close_unref(bus) }

  package var name: Naming { naming }

  /// For `epoll`. The same for the connection's whole life.
  package func descriptor() throws(BusError) -> CInt { try BusError.check(unsafe sd_bus_get_fd(bus), "sd_bus_get_fd") }

  /// `POLLIN` and `POLLOUT`, as far as the connection waits for them.
  package func awaits() throws(BusError) -> (reading: Bool, writing: Bool) {
    let events = try BusError.check(unsafe sd_bus_get_events(bus), "sd_bus_get_events")
    return (events & CInt(POLLIN) != 0, events & CInt(POLLOUT) != 0)
  }

  /// After which time ``process()`` is due even if the descriptor is not ready; nil when never.
  package func patience() throws(BusError) -> Duration? {
    var due: UInt64 = 0
    try BusError.check(unsafe sd_bus_get_timeout(bus, &due), "sd_bus_get_timeout")
    guard due != .max else { return nil }
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let elapsed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    return due > elapsed ? .microseconds(Int64(min(due - elapsed, 1 << 40))) : .zero
  }

  /// Takes one step: reads, writes, answers a call. Returns false when there is nothing to do at once.
  ///
  /// Throws ``BusError`` when the connection is over.
  package func process() throws(BusError) -> Bool {
    try BusError.check(unsafe sd_bus_process(bus, nil), "sd_bus_process") > 0
  }

  /// Queues a signal without arguments.
  package func emit(_ member: String, of object: BusObject) throws(BusError) {
    let signal = try unsafe BusMessage(signal: member, of: object.interface, at: object.path, on: bus)
    try unsafe signal.send(on: bus)
  }

  private func export() throws(BusError) {
    for object in objects {
      let pointer = unsafe Unmanaged.passUnretained(object).toOpaque()
      try BusError.check(unsafe sd_bus_add_object(bus, nil, object.path, handleBusCall, pointer), "sd_bus_add_object")
    }
  }

  private func request(_ name: String) throws(BusError) {
    let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result = unsafe sd_bus_request_name_async(bus, nil, name, Self.queueing, handleName, pointer)
    try BusError.check(result, "sd_bus_request_name_async")
    naming = .requested
  }

  /// SD_BUS_NAME_QUEUE: the name comes to us when its present owner goes.
  private static let queueing: UInt64 = 4

  fileprivate func noteName(_ reply: OpaquePointer) {
    naming = unsafe sd_bus_message_is_method_error(reply, nil) > 0 ? .refused : .granted
  }
}

/// Called by the library with the bus's answer to our request for a name.
private func handleName(
  _ reply: OpaquePointer?, _ connection: UnsafeMutableRawPointer?, _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let reply = unsafe reply, let connection = unsafe connection else { return 0 }
  unsafe Unmanaged<BusConnection>.fromOpaque(connection).takeUnretainedValue().noteName(reply)
  return 1
}
