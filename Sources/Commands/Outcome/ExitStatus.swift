/// How `almoner` ends, for the script that called it. The numbers are part of the man page and never change.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case ok = 0
  /// Whatever has no number of its own: storage, configuration, an unwritable standard output.
  case failure = 1
  /// The command line, or something the daemon was asked, is wrong.
  case usage = 2
  /// Nobody is signed in under that name, or the session has ended: `almoner login`.
  case signInRequired = 3
  /// The keyring, the sealed file or the daemon is locked: `almoner unlock`.
  case locked = 4
  /// Worth trying again: offline, busy, no answer in time.
  case temporary = 5
  /// The person, the issuer or a rule said no.
  case denied = 6
  /// No daemon, and none could be started.
  case noDaemon = 7
  /// The issuer wants the person to prove more: `almoner login`.
  case stepUpRequired = 8
}
