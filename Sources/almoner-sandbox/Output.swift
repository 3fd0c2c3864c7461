import Glibc

/// The two streams of a command.
enum Output {
  /// Writes to standard output: the answer and nothing else.
  static func answer(_ text: String) { write(text, to: 1) }

  /// Writes to standard error.
  static func complain(_ text: String) { write(text, to: 2) }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
