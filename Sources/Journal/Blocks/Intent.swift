package import Secrets
package import Time

/// The intent block: what the vault has in mind with the account's refresh token.
package struct Intent: Sendable {
  package enum State: Equatable, Sendable {
    /// At rest; the generation is the highest one stored.
    case idle
    /// A courier may have sent the generation's token. `sends` counts this time in.
    case sending(boot: BootID, at: BootInstant, wall: WallInstant, sends: UInt32)
  }

  /// The flight whose answer lies on the pad, or may land there, and the key it is sealed under.
  package struct Landing: Sendable {
    package let number: FlightNumber
    package let key: SecretBox

    package init(number: FlightNumber, key: SecretBox) {
      self.number = number
      self.key = key
    }
  }

  package static let hashCount = 32
  private static let keyCount = 32
  /// Fields of fixed size; with its prefix and seal the block stays within one sector of 512 bytes, which a disk writes
  /// whole or not at all.
  private static let capacity = 200

  package let state: State
  package let number: FlightNumber
  /// A keyed hash of the generation's token: ``hashCount`` bytes.
  package let tokenHash: [UInt8]
  package let landing: Landing?

  package init(state: State, number: FlightNumber, tokenHash: [UInt8], landing: Landing?) {
    self.state = state
    self.number = number
    self.tokenHash = tokenHash
    self.landing = landing
  }

  /// Seals it under the journal key. Throws when the hash or key has not its size, or there is no secret memory.
  package func seal(_ identity: JournalIdentity, journalKey: SecretBox) throws(FieldError) -> SealedBlock {
    guard tokenHash.count == Self.hashCount, landing?.key.count ?? Self.keyCount == Self.keyCount else {
      throw .malformed
    }
    let fields = try SecretBytes.fields(capacity: Self.capacity) { writer in
      writer.write(fixed: tokenHash)
      writer.write(optional: landing) { writer, landing in
        writer.write(landing.number.generation)
        writer.write(landing.number.flight)
        writer.write(landing.key)
      }
      switch state {
      case .idle: writer.write(UInt8(1))
      case .sending(let boot, let at, let wall, let sends):
        writer.write(UInt8(2))
        writer.write(boot.high)
        writer.write(boot.low)
        writer.write(at.nanoseconds)
        writer.write(wall.seconds)
        writer.write(sends)
      }
    }
    return try SealedBlock(.intent, number, sealing: fields, identity, key: journalKey)
  }

  /// Opens it with the journal key; nil unless it is authentic and well formed.
  package init?(opening block: SealedBlock, _ identity: JournalIdentity, journalKey: SecretBox) {
    guard let fields = block.open(identity, key: journalKey) else { return nil }
    do {
      (tokenHash, landing, state) = try fields.readFields { reader throws(FieldError) in
        let hash = try reader.fixed(Self.hashCount)
        let landing = try reader.optional(Self.landing)
        return (hash, landing, try Self.state(&reader))
      }
    } catch {
      return nil
    }
    number = block.number
  }

  private static func landing(_ reader: inout FieldReader) throws(FieldError) -> Landing {
    let number = FlightNumber(generation: try reader.number(), flight: try reader.number())
    let key = try reader.secret(atMost: keyCount)
    guard key.count == keyCount else { throw .malformed }
    return Landing(number: number, key: key)
  }

  private static func state(_ reader: inout FieldReader) throws(FieldError) -> State {
    switch try reader.number(UInt8.self) {
    case 1: return .idle
    case 2:
      let boot = BootID(high: try reader.number(), low: try reader.number())
      return .sending(
        boot: boot, at: BootInstant(nanoseconds: try reader.number()),
        wall: WallInstant(seconds: try reader.number()), sends: try reader.number())
    case let other:
      precondition(other != 1 && other != 2)
      throw .malformed
    }
  }
}
