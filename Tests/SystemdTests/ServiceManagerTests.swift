import Glibc
import Systemd
import Testing

// Each runs in a process of its own, since it is the environment and the descriptors of the process that are meant.
@Suite struct ServiceManagerTests {
  @Test func `the service manager is told each thing in its own words`() async {
    await #expect(processExitsWith: .success) {
      let manager = notifySocket()
      for notification in [ServiceNotification.ready, .stopping, .status("two\nREADY=1")] {
        precondition(notification.send())
      }
      precondition(next(manager) == "READY=1")
      precondition(next(manager) == "STOPPING=1")
      precondition(next(manager) == "STATUS=two READY=1")
    }
  }

  @Test func `without a service manager nothing is sent`() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("NOTIFY_SOCKET")
      precondition(!ServiceNotification.ready.send())
    }
  }
}

/// A datagram socket in the abstract name space, bound to a name that the kernel chose.
private func datagramSocket() -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
  var address = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  precondition(unsafe bind(descriptor, &address, 2) == 0)
  return descriptor
}

/// What a service manager listens on, and `NOTIFY_SOCKET` naming it.
private func notifySocket() -> CInt {
  let descriptor = datagramSocket()
  var address = sockaddr_un()
  var length = socklen_t(MemoryLayout<sockaddr_un>.size)
  unsafe withUnsafeMutableBytes(of: &address) { room in
    precondition(unsafe getsockname(descriptor, room.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0)
  }
  let name = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0[1..<Int(length) - 2]) }
  unsafe setenv("NOTIFY_SOCKET", "@" + String(decoding: name, as: UTF8.self), 1)
  return descriptor
}

private func next(_ descriptor: CInt) -> String {
  var room = [UInt8](repeating: 0, count: 256)
  let count = unsafe recv(descriptor, &room, room.count, CInt(MSG_DONTWAIT))
  return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
}
