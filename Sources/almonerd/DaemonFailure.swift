import Configuration
import EventLoop
import LocalSocket
import Sodium

/// Why the daemon does not start, and the status it ends with.
struct DaemonFailure: Error {
  let text: String
  let status: Int32

  /// Another daemon of this user runs; nothing was touched.
  static let alreadyRunning = Self(text: "already running", status: 7)

  init(text: String, status: Int32) {
    self.text = text
    self.status = status
  }

  init(_ error: any Error) {
    switch error {
    case let failure as DaemonFailure: self = failure
    case StateError.alreadyRunning: self = .alreadyRunning
    default: self.init(text: "\(error)", status: 1)
    }
  }
}
