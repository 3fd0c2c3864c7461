/// Where the person's message bus listens (D-Bus Specification, "Server Addresses").
package struct BusAddress: Equatable, Sendable {
  package let text: String

  /// Nil when there is none, or when connecting to it could block: only Unix sockets are spoken to. An `autolaunch:` or
  /// `tcp:` address would run a program or ask a resolver.
  package init?(environment: [String: String]) {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      guard address.utf8.count <= 1024, address.split(separator: ";").allSatisfy({ $0.hasPrefix("unix:") }) else {
        return nil
      }
      text = address
    } else if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      text = "unix:path=\(Self.escape(runtime))/bus"
    } else {
      return nil
    }
  }

  /// Everything but the optionally-escaped characters becomes `%XX`.
  private static func escape(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/.\\*".utf8)
    let digits = Array("0123456789abcdef")
    return path.utf8.map { byte in
      plain.contains(byte)
        ? String(Character(UnicodeScalar(byte))) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
