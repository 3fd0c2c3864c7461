package import Secrets
import Sodium

/// One sealed part of a journal as it is on disk: length, flight number in the clear, sealed bytes.
///
/// All of it is authenticated, bound to the part and to whose journal it is: nothing can be moved here from another
/// account, issuer, user, machine, generation or flight.
package struct SealedBlock: Equatable, Sendable {
  /// Bytes in front of the sealed ones: their length (32 bits), generation and flight (64 bits each).
  private static let prefixCount = 20

  package let number: FlightNumber
  private let part: JournalLayout.Part
  private let sealed: [UInt8]

  /// Seals `plaintext`, which must fit the part.
  package init(
    _ part: JournalLayout.Part, _ number: FlightNumber, sealing plaintext: borrowing SecretBytes,
    _ identity: JournalIdentity, key: SecretBox
  ) throws(FieldError) {
    guard plaintext.count <= part.capacity - Self.prefixCount - AEAD.overhead else { throw .tooLong }
    self.part = part
    self.number = number
    sealed = AEAD.seal(plaintext, additionalData: Self.bind(part, number, identity), key: key.secret)
  }

  /// Reads a part's bytes. Nil when nothing was ever written there; throws when no block can be in them.
  package init?(_ part: JournalLayout.Part, reading bytes: [UInt8]) throws(FieldError) {
    guard bytes.prefix(Self.prefixCount).contains(where: { $0 != 0 }) else { return nil }
    self.part = part
    do {
      (number, sealed) = try unsafe bytes.withUnsafeBytes { bytes in
        var reader = unsafe FieldReader(bytes)
        let count = Int(try reader.number(UInt32.self))
        let number = FlightNumber(generation: try reader.number(), flight: try reader.number())
        return (number, try reader.fixed(count))
      }
    } catch {
      throw .malformed
    }
  }

  /// What was sealed; nil unless it is authentic.
  package func open(_ identity: JournalIdentity, key: SecretBox) -> SecretBytes? {
    do {
      return try AEAD.open(sealed, additionalData: Self.bind(part, number, identity), key: key.secret)
    } catch {
      return nil
    }
  }

  /// As it goes to disk, in one write.
  package var bytes: [UInt8] {
    Self.bigEndian(UInt32(sealed.count)) + Self.bigEndian(number.generation) + Self.bigEndian(number.flight) + sealed
  }

  /// The associated data of the seal.
  private static func bind(
    _ part: JournalLayout.Part, _ number: FlightNumber, _ identity: JournalIdentity
  ) -> [UInt8] {
    var data = JournalLayout.magic + bigEndian(JournalLayout.version) + [part.rawValue] + bigEndian(identity.user)
    for text in [identity.machine, identity.account, identity.issuer] {
      data += bigEndian(UInt32(text.utf8.count)) + Array(text.utf8)
    }
    return data + bigEndian(number.generation) + bigEndian(number.flight)
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }
}
