package import Exchange
package import Secrets
import Time

/// An answer as bytes: what is sealed on the pad, and what goes through the channel where there is no journal.
package enum AnswerFields {
  /// The longest media type.
  static let maximumType = 127
  /// Bytes that an encoded answer can have.
  package static let capacity = HTTPAnswer.maximumBody + maximumType + DPoPNonce.maximum + 128

  /// Throws when something is longer than it may be, or there is no secret memory.
  package static func encode(_ answer: HTTPAnswer) throws(FieldError) -> SecretBytes {
    try SecretBytes.fields(capacity: capacity) { $0.write(answer) }
  }

  /// Throws when the bytes are no answer. Whether they can be believed was decided before.
  package static func decode(_ bytes: borrowing SecretBytes) throws(FieldError) -> HTTPAnswer {
    try bytes.readFields { reader throws(FieldError) in try reader.answer() }
  }
}

extension FieldWriter {
  mutating func write(_ answer: HTTPAnswer) {
    write(Int32(clamping: answer.status))
    write(optional: answer.date) { $0.write($1.seconds) }
    write(optional: answer.retryAfter) { $0.write($1) }
    write(optional: answer.dpopNonce) { $0.write($1) }
    write(answer.contentType)
    write(answer.isTruncated)
    write(answer.receivedAt.nanoseconds)
    write(answer.receivedBoot.high)
    write(answer.receivedBoot.low)
    write(answer.receivedWall.seconds)
    write(answer.body)
  }
}

extension FieldReader {
  mutating func answer() throws(FieldError) -> HTTPAnswer {
    let status = Int(try number(Int32.self))
    guard (100...599).contains(status) else { throw .malformed }
    let date = try optional { reader throws(FieldError) in WallInstant(seconds: try reader.number()) }
    let retryAfter = try optional { reader throws(FieldError) in try reader.number(Int64.self) }
    let nonce = try optional { reader throws(FieldError) in try reader.text(atMost: DPoPNonce.maximum) }
    let contentType = try text(atMost: AnswerFields.maximumType)
    let isTruncated = try bool()
    let at = BootInstant(nanoseconds: try number())
    let boot = BootID(high: try number(), low: try number())
    let wall = WallInstant(seconds: try number())
    return HTTPAnswer(
      status: status, date: date, retryAfter: retryAfter, dpopNonce: nonce, contentType: contentType,
      body: try secret(atMost: HTTPAnswer.maximumBody), isTruncated: isTruncated, receivedAt: at, receivedBoot: boot,
      receivedWall: wall)
  }
}
