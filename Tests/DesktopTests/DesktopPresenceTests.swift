import Desktop
import EventLoop
import Glibc
import Systemd
import Testing
import Time

private let status = DesktopStatus(
  accounts: [.init(name: "home", state: "signed-in"), .init(name: "work", state: "locked")], isLocked: false)

/// A message bus of our own and a presence that wants to be on it.
private final class Desk: Sendable {
  let address: String
  let bus: Program
  let thread: LoopThread
  let presence: DesktopPresence

  init(_ name: String) throws {
    address = "unix:path=/tmp/almoner-test-\(getpid())-\(name)"
    bus = try Self.startBus(address)
    thread = try LoopThread(name: "desk")
    presence = DesktopPresence(thread.loop, address: BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": address])) {
      status
    }
  }

  deinit {
    thread.stop()
    unsafe unlink(String(address.dropFirst(10)))
  }

  static func startBus(_ address: String) throws -> Program {
    let bus = try Program(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1", "--address=\(address)"])
    _ = bus.read(until: "\n")
    return bus
  }

  /// Returns when somebody owns our name.
  func awaitName() throws -> String {
    try Program(["gdbus", "wait", "--session", "--timeout", "30", DesktopPresence.name], bus: address).read()
  }

  func call(_ method: String, path: String = DesktopPresence.path) throws -> String {
    let arguments = ["dbus-send", "--session", "--print-reply=literal", "--dest=\(DesktopPresence.name)", path, method]
    return try Program(arguments, bus: address).read()
  }
}

@Suite(.timeLimit(.minutes(1))) struct DesktopPresenceTests {
  @Test func `Status tells a stranger's client names and states`() async throws {
    let desk = try Desk("status")
    await desk.presence.start()
    #expect(try desk.awaitName() == "")
    let words = try desk.call("org.almoner.Almoner1.Status").split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    #expect(
      words
        == "array [ dict entry( accounts variant array [ struct { home signed-in } struct { work locked } ] ) dict entry( count variant uint32 2 ) dict entry( locked variant boolean false ) ]"
    )
  }

  @Test func `a method that is not there gets the standard error`() async throws {
    let desk = try Desk("unknown")
    await desk.presence.start()
    _ = try desk.awaitName()
    #expect(try desk.call("org.almoner.Almoner1.GetAccessToken").contains("org.freedesktop.DBus.Error.Unknown"))
  }

  @Test func `the object describes itself`() async throws {
    let desk = try Desk("introspect")
    await desk.presence.start()
    _ = try desk.awaitName()
    let description = try desk.call("org.freedesktop.DBus.Introspectable.Introspect")
    #expect(description.contains(#"<method name="Status">"#) && description.contains(#"<signal name="Changed"/>"#))
  }

  @Test func `a change reaches whoever listens`() async throws {
    let desk = try Desk("change")
    await desk.presence.start()
    _ = try desk.awaitName()
    let monitor = try Program(["dbus-monitor", "--session", "interface='org.almoner.Almoner1'"], bus: desk.address)
    // The monitor's own NameLost says that it listens.
    _ = monitor.read(until: "member=NameLost")
    await desk.presence.announceChange()
    #expect(monitor.read(until: "member=Changed").hasSuffix("member=Changed"))
  }

  @Test func `a bus that comes back finds us again`() async throws {
    let desk = try Desk("restart")
    await desk.presence.start()
    _ = try desk.awaitName()
    desk.bus.kill()
    unsafe unlink(String(desk.address.dropFirst(10)))
    let second = try Desk.startBus(desk.address)
    #expect(try desk.awaitName() == "")
    withExtendedLifetime(second) {}
  }

  @Test func `stopping gives the name back`() async throws {
    let desk = try Desk("stop")
    await desk.presence.start()
    _ = try desk.awaitName()
    await desk.presence.stop()
    #expect(try desk.call("org.almoner.Almoner1.Status").contains("org.freedesktop.DBus.Error.ServiceUnknown"))
  }

  @Test func `a bus that never answers does not hold the loop`() async throws {
    let path = "/tmp/almoner-test-\(getpid())-mute"
    let mute = try #require(listener(at: path))
    defer {
      close(mute)
      unsafe unlink(path)
    }
    let thread = try LoopThread(name: "desk")
    defer { thread.stop() }
    let address = BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"])
    let presence = DesktopPresence(thread.loop, address: address) { status }
    await presence.start()
    try await thread.loop.sleep(until: thread.loop.now + .milliseconds(1))
  }

  @Test func `without a bus nothing happens`() async throws {
    let thread = try LoopThread(name: "desk")
    defer { thread.stop() }
    let address = BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    let presence = DesktopPresence(thread.loop, address: address) { status }
    await presence.start()
    await presence.announceChange()
    await presence.stop()
  }
}

/// A socket that lets everybody connect and says nothing.
private func listener(at path: String) -> CInt? {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let result = unsafe withUnsafeBytes(of: &address) { bytes in
    unsafe bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
  }
  return result == 0 && listen(descriptor, 8) == 0 ? descriptor : nil
}
