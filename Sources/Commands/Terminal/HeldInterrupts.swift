import CLinux
import Glibc

/// The signals that end a program from its terminal, or with it, held back for as long as this lives: what comes then is
/// an answer, and is forgotten with this.
struct HeldInterrupts: ~Copyable {
  private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

  /// Turns readable when one came.
  let coming: Int32

  init() { coming = unsafe clinux_signals(Self.signals, Int32(Self.signals.count)) }

  deinit { unsafe clinux_release_signals(coming, Self.signals, Int32(Self.signals.count)) }
}
