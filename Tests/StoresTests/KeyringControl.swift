import Glibc
import Testing

/// Starts, stops, freezes and locks the keyring daemon of a test, by `Tests/Integration/keyring/control.sh`.
enum KeyringControl {
  static func run(_ action: String) throws {
    guard let script = unsafe getenv("ALMONER_TEST_KEYRING_CONTROL") else { throw TestFailure("no control script") }
    let words = ["/bin/sh", unsafe String(cString: script), action]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    // The threads of ours block signals, and the daemon is to hear its SIGTERM.
    var attributes = posix_spawnattr_t()
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_init(&attributes)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, "/bin/sh", nil, &attributes, &arguments, environ) == 0 else {
      throw TestFailure("posix_spawn")
    }
    var status: Int32 = 0
    guard unsafe waitpid(child, &status, 0) == child, status == 0 else { throw TestFailure("control.sh \(action)") }
  }
}
