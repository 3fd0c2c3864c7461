import CLinux
import Glibc
package import Secrets

/// Questions. None is asked unless ``Console/canAsk``; the callers see to that.
extension Console {
  /// The longest answer that is read, in bytes. A terminal hands out no longer line either.
  static let longestLine = 8 << 10

  /// Asks until the answer is yes or no. An empty answer is `standard`, the end of input is no.
  package func confirms(_ question: String, otherwise standard: Bool) -> Bool {
    confirms(question, otherwise: standard, unless: nil)
  }

  /// The same; an interrupt is no as well.
  func confirms(_ question: String, otherwise standard: Bool, interruptedBy held: borrowing HeldInterrupts) -> Bool {
    confirms(question, otherwise: standard, unless: held.coming)
  }

  private func confirms(_ question: String, otherwise standard: Bool, unless interrupt: Int32?) -> Bool {
    while true {
      prompt("\(question) [\(standard ? "Y/n" : "y/N")]")
      guard let line = readSecretLine(unless: interrupt) else {
        note("")
        return false
      }
      switch Self.word(line).lowercased() {
      case "": return standard
      case "y", "yes": return true
      case "n", "no": return false
      case _: note("Please answer yes or no.")
      }
    }
  }

  /// Asks for something that is not shown while it is typed. Nil at the end of input.
  package func secret(_ question: String) -> SecretBox? {
    // Hidden before the question is there, so that nobody can answer it in plain sight.
    guard clinux_hide_typing(input) == 0 else { return nil }
    defer { clinux_show_typing() }
    prompt(question)
    return readSecretLine()
  }

  /// The next line of standard input without its newline; nil at the end of input, when it is too long, or when memory
  /// for secrets is used up. Nil also as soon as `interrupt` turns readable.
  package func readSecretLine(unless interrupt: Int32? = nil) -> SecretBox? {
    var line = WipedBuffer(capacity: Self.longestLine)
    while line.count < Self.longestLine {
      if let interrupt, case .first = Readiness.wait(for: interrupt, input, nil) { return nil }
      let count = unsafe line.append(room: 1) { unsafe read(input, $0.baseAddress, 1) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if line.firstOffset(of: UInt8(ascii: "\n"), from: line.count - 1) != nil { return Self.boxed(line) }
    }
    return line.isEmpty || line.count == Self.longestLine ? nil : Self.boxed(line)
  }

  private static func boxed(_ line: borrowing WipedBuffer) -> SecretBox? {
    let count = unsafe line.withUnsafeBytes { bytes in
      unsafe bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
    }
    do {
      return SecretBox(try SecretBytes(copying: line.bytes.extracting(0..<count)))
    } catch {
      return nil
    }
  }

  /// An answer that is no secret, as text.
  private static func word(_ line: SecretBox) -> String {
    unsafe line.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      .split(separator: " ").joined(separator: " ")
  }
}
