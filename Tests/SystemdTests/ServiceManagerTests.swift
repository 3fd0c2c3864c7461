import Glibc
import Systemd
import Testing

// Each runs in a process of its own, since it is the environment and the descriptors of the process that are meant.
@Suite struct ServiceManagerTests {
  @Test func `not activated there are no descriptors`() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("LISTEN_FDS")
      let descriptors = try SocketActivation.listenDescriptors()
      precondition(descriptors.isEmpty)
    }
  }

  @Test func `a passed listening socket is handed on and the variables are gone`() async {
    await #expect(processExitsWith: .success) {
      passDescriptor(socketOf(SOCK_STREAM, listening: true))
      let descriptors = try SocketActivation.listenDescriptors()
      precondition(descriptors == [3])
      precondition(unsafe getenv("LISTEN_FDS") == nil && getenv("LISTEN_PID") == nil)
      precondition(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test func `a passed socket that does not listen is refused`() async {
    await #expect(processExitsWith: .success) {
      passDescriptor(socketOf(SOCK_STREAM, listening: false))
      precondition(activationFailure() == .notOurKind(3))
    }
  }

  @Test func `a passed datagram socket is refused`() async {
    await #expect(processExitsWith: .success) {
      passDescriptor(socketOf(SOCK_DGRAM, listening: false))
      precondition(activationFailure() == .notOurKind(3))
    }
  }

  @Test func `descriptors meant for another process are left alone`() async {
    await #expect(processExitsWith: .success) {
      passDescriptor(socketOf(SOCK_STREAM, listening: true), to: 1)
      let descriptors = try SocketActivation.listenDescriptors()
      precondition(descriptors.isEmpty)
    }
  }

  @Test func `variables that make no sense are refused`() async {
    await #expect(processExitsWith: .success) {
      passDescriptor(socketOf(SOCK_STREAM, listening: true))
      unsafe setenv("LISTEN_FDS", "many", 1)
      precondition(activationFailure() == .malformed(EINVAL))
    }
  }

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

private func activationFailure() -> ActivationError? {
  do throws(ActivationError) { _ = try SocketActivation.listenDescriptors() } catch { return error }
  return nil
}

/// Makes it descriptor 3, as a service manager does.
private func passDescriptor(_ descriptor: CInt, to process: pid_t = getpid()) {
  precondition(dup2(descriptor, 3) == 3)
  unsafe setenv("LISTEN_PID", "\(process)", 1)
  unsafe setenv("LISTEN_FDS", "1", 1)
}

/// A Unix socket in the abstract name space, bound to a name that the kernel chose.
private func socketOf(_ type: __socket_type, listening: Bool) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(type.rawValue), 0)
  var address = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  precondition(unsafe bind(descriptor, &address, 2) == 0)
  precondition(!listening || listen(descriptor, 1) == 0)
  return descriptor
}

/// What a service manager listens on, and `NOTIFY_SOCKET` naming it.
private func notifySocket() -> CInt {
  let descriptor = socketOf(SOCK_DGRAM, listening: false)
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
