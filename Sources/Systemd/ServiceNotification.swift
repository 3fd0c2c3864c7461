import CSystemd

/// What the daemon tells the service manager (`sd_notify`). Without one (`NOTIFY_SOCKET` unset) nothing is sent.
package enum ServiceNotification: Equatable, Sendable {
  /// Ready to serve. With `Type=notify` the unit counts as started only now.
  case ready
  /// On its way out: no new flights, the couriers are waited for.
  case stopping
  /// One line for `systemctl status`. Holds nothing secret and no name of a person.
  case status(String)

  /// Sends it. Returns false when there is no service manager or it could not be told, which changes nothing for us.
  @discardableResult package func send() -> Bool { unsafe sd_notify(0, text) > 0 }

  /// The datagram's text. A line feed would start another assignment, so control characters become spaces.
  private var text: String {
    switch self {
    case .ready: "READY=1"
    case .stopping: "STOPPING=1"
    case .status(let line):
      "STATUS=" + String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
  }
}
