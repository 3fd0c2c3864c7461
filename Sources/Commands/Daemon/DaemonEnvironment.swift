/// What a daemon that we start gets of our environment: the named variables and nothing else.
package enum DaemonEnvironment {
  private static let names: Set<String> = ["HOME", "USER", "LANG", "DBUS_SESSION_BUS_ADDRESS"]
  private static let prefixes = ["LC_", "XDG_"]

  /// Its whole environment, as `NAME=VALUE`.
  package static func entries(from environment: Environment) -> [String] {
    environment.entries { name in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
  }
}
