import Glibc

/// The daemon's few words to whoever started it.
enum Report {
  /// Says why the daemon does not run, and ends it.
  static func fail(_ text: String, status: Int32) -> Never {
    line(text)
    exit(status)
  }

  /// Answers on standard output, and ends.
  static func print(_ text: String, status: Int32) -> Never {
    put(text, to: STDOUT_FILENO)
    exit(status)
  }

  /// One line for the journal. Holds nothing secret and no name of a person.
  static func line(_ text: String) { put("almonerd: \(text)\n", to: STDERR_FILENO) }

  private static func put(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      _ = unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
  }
}
