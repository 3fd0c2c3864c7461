import Confinement
import Glibc
import Testing

/// What a confined process cannot do. Each runs in a process of its own, which cannot be freed again.
struct ConfinementTests {
  @Test func `a courier runs no program`() async {
    await #expect(processExitsWith: .exitCode(EPERM)) {
      _ = try Confinement.courier(authorities: [])
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
      _ = unsafe execv("/bin/true", &arguments)
      exit(errno)
    }
  }

  @Test func `a courier opens no Unix socket`() async {
    await #expect(processExitsWith: .exitCode(EAFNOSUPPORT)) {
      _ = try Confinement.courier(authorities: [])
      exit(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) < 0 ? errno : 0)
    }
  }

  @Test func `a courier opens a TCP socket`() async {
    await #expect(processExitsWith: .success) {
      _ = try Confinement.courier(authorities: [])
      exit(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0 ? errno : 0)
    }
  }

  @Test func `a courier signals nobody`() async {
    await #expect(processExitsWith: .exitCode(EPERM)) {
      _ = try Confinement.courier(authorities: [])
      exit(kill(getppid(), 0) < 0 ? errno : 0)
    }
  }

  @Test func `a courier reads certificate authorities`() async {
    await #expect(processExitsWith: .success) {
      _ = try Confinement.courier(authorities: [])
      exit(unsafe open("/etc/ssl/certs/ca-certificates.crt", O_RDONLY) < 0 ? errno : 0)
    }
  }

  /// Where the kernel has Landlock; without it the file can be read, and the report says so.
  @Test func `a courier reads nothing else`() async {
    await #expect(processExitsWith: .success) {
      let report = try Confinement.courier(authorities: [])
      let isOpen = unsafe open("/etc/passwd", O_RDONLY) >= 0
      exit(isOpen == (report.landlockVersion == 0) ? 0 : 1)
    }
  }

  @Test func `a callback may speak to the daemon and runs no program`() async {
    await #expect(processExitsWith: .exitCode(EPERM)) {
      _ = try Confinement.callback()
      if socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) < 0 { exit(1) }
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
      _ = unsafe execv("/bin/true", &arguments)
      exit(errno)
    }
  }
}
