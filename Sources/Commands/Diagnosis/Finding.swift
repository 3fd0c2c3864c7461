import JSON

/// One thing that was looked at.
package struct Finding: Equatable, Sendable {
  /// What was looked at, in a word or two.
  package let subject: String
  /// Whether it needs no attention.
  package let isWell: Bool
  package let words: String

  static func well(_ subject: String, _ words: String) -> Finding {
    Finding(subject: subject, isWell: true, words: PlainText.line(words))
  }

  static func amiss(_ subject: String, _ words: String) -> Finding {
    Finding(subject: subject, isWell: false, words: PlainText.line(words))
  }

  var line: String { "\(isWell ? "ok  " : "FIX ") \(subject): \(words)\n" }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("subject", subject)
      writer.member("ok", isWell)
      writer.member("message", words)
    }
  }
}
