import Configuration
import Glibc

/// The environment, read once and then emptied but for a named list: what a library might honour behind our back
/// (`SECRET_BACKEND`, `SSLKEYLOGFILE`, proxies, preloads) is gone before it is loaded in anger.
struct DaemonEnvironment {
  private let variables: [String: String]

  /// What stays, for libraries that need it: the bus, the locale, the service manager's sockets.
  static let kept: Set<String> = [
    "HOME", "USER", "LANG", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "ALMONER_SOCKET",
  ]

  /// Reads the environment and removes what is not kept. Call it before there are threads.
  static func take() -> Self {
    var variables: [String: String] = [:]
    var cursor = unsafe environ
    while let entry = unsafe cursor.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe cursor += 1
    }
    for name in variables.keys where !isKept(name) { unsafe unsetenv(name) }
    return Self(variables: variables)
  }

  private static func isKept(_ name: String) -> Bool {
    #if FAULTS
      if name.hasPrefix("ALMONER_FAULT_") { return true }
    #endif
    return kept.contains(name) || name.hasPrefix("LC_")
  }

  subscript(name: String) -> String? { variables[name] }

  var all: [String: String] { variables }
}
