import CLinux
import Glibc

/// The lock by which a daemon has a state directory for itself, seen from outside.
struct StateLock {
  /// `$XDG_STATE_HOME/almoner`, or the same below `~/.local/state`; nil when nothing says where.
  let directory: String

  init?(_ environment: Environment) {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let base = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" }) else { return nil }
    directory = base + "/almoner"
  }

  /// Whether a daemon has it. Asks without taking it, so that no daemon that starts now finds it taken.
  var isHeld: Bool {
    let file = unsafe open(directory + "/lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    return clinux_lock_holder(file) > 0
  }
}
