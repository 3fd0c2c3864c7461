import Glibc

/// The message bus of the session, on which a keyring is found.
enum SessionBus {
  /// What announces it, as the daemon looks for it; nil when nothing does.
  static func announcement(_ environment: Environment) -> String? {
    if environment["DBUS_SESSION_BUS_ADDRESS"] != nil { return "DBUS_SESSION_BUS_ADDRESS" }
    guard let runtime = environment["XDG_RUNTIME_DIR"], unsafe access(runtime + "/bus", F_OK) == 0 else { return nil }
    return runtime + "/bus"
  }

  /// `isNeeded`: an account is in the keyring, or new ones go there.
  static func finding(_ environment: Environment, isNeeded: Bool) -> Finding {
    if let announcement = announcement(environment) { return .well("session bus", "announced by \(announcement)") }
    guard isNeeded else { return .well("session bus", "there is none; nothing is kept in a keyring") }
    return .amiss(
      "session bus",
      "there is none, so there is no keyring: log in to a session (or start one with dbus-run-session) and start the "
        + "daemon in it, or write default=sealed-file under [store] in almoner.conf")
  }
}
