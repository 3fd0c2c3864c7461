import CLinux
import Glibc
package import Secrets

/// Where a command reads and writes. Standard output carries the answer and nothing else.
package struct Console: Sendable {
  package let input: Int32
  package let output: Int32
  package let errors: Int32
  /// Whether a person can be asked: questions go to standard error, answers come from standard input.
  package let canAsk: Bool
  /// Whether notes may be coloured.
  package let isColoured: Bool

  /// A console on these descriptors. It asks only when input and errors are both terminals, and colours only when
  /// errors are one and `NO_COLOR` (no-color.org) is absent or empty.
  package init(input: Int32 = 0, output: Int32 = 1, errors: Int32 = 2, environment: Environment) {
    self.input = input
    self.output = output
    self.errors = errors
    let showsErrors = isatty(errors) == 1
    canAsk = isatty(input) == 1 && showsErrors
    isColoured = showsErrors && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
  }

  /// Writes the answer, or a part of it, as it is. Throws when standard output does not take it.
  package func answer(_ text: String) throws(Failure) {
    guard write(text, to: output) else { throw Self.unwritable(errno) }
  }

  /// Writes an answer that may hold secrets, in as few writes as the descriptor takes.
  package func answer(_ buffer: borrowing WipedBuffer) throws(Failure) {
    guard write(buffer.bytes, to: output) else { throw Self.unwritable(errno) }
  }

  /// Writes an answer that is a secret, and a newline.
  ///
  /// Refuses one that would not stay on its line: whoever reads lines, or headers, must not be handed another one.
  package func answer(_ secret: SecretBox, after prefix: StaticString) throws(Failure) {
    guard Self.isOneLine(secret.secret) else {
      throw Failure(.failure, code: "output", "the secret holds what cannot be on one line; --json shows it")
    }
    var line = WipedBuffer(capacity: prefix.utf8CodeUnitCount + secret.count + 1)
    line.append(prefix.description)
    Self.append(secret.secret, to: &line)
    line.append(UInt8(ascii: "\n"))
    try answer(line)
  }

  /// Tells the person something on standard error. That nobody may read it is no failure.
  package func note(_ text: String) { _ = write(text + "\n", to: errors) }

  /// Tells a program something on standard error.
  package func note(_ buffer: borrowing WipedBuffer) { _ = write(buffer.bytes, to: errors) }

  /// Writes a question, without a newline.
  package func prompt(_ text: String) { _ = write(text + " ", to: errors) }

  /// `text` set off from the rest, where colours may be used.
  package func emphasised(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// Whether it is all printable ASCII (RFC 6749 appendix A: VSCHAR).
  private static func isOneLine(_ secret: borrowing SecretBytes) -> Bool {
    let bytes = secret.bytes
    return bytes.byteOffsets.allSatisfy { offset in
      (0x20...0x7E).contains(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
    }
  }

  private static func append(_ secret: borrowing SecretBytes, to line: inout WipedBuffer) { line.append(secret.bytes) }

  private func write(_ text: String, to descriptor: Int32) -> Bool {
    var buffer = WipedBuffer()
    buffer.append(text)
    return write(buffer.bytes, to: descriptor)
  }

  private func write(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if count == 0 || !waits(errno, descriptor) { return false }
      }
      return true
    }
  }

  /// Whether a failed write is to be tried again; waits for room where the descriptor does not block by itself.
  private func waits(_ reason: Int32, _ descriptor: Int32) -> Bool {
    guard reason == EAGAIN else { return reason == EINTR }
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&room, 1, -1) > 0
  }

  private static func unwritable(_ reason: Int32) -> Failure {
    Failure(.failure, code: "output", "standard output cannot be written: \(SystemReason.words(reason))")
  }
}
