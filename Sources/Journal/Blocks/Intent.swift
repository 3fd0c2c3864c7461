package import Secrets
package import Time

/// The intent block: what the vault has in mind with the account's refresh token.
package struct Intent: Sendable {
  package enum State: Equatable, Sendable {
    /// At rest; the generation is the highest one stored.
    case idle
    /// A courier may have sent the generation's token. `sends` counts this time in; `earlier` is when it was sent before
    /// this, the first and the last time, as far as nobody knows what became of it.
    case sending(at: BootMoment, wall: WallInstant, sends: UInt32, earlier: Earlier?)
  }

  package struct Earlier: Equatable, Sendable {
    package let first: BootMoment
    package let last: BootMoment

    package init(first: BootMoment, last: BootMoment) {
      self.first = first
      self.last = last
    }
  }

  /// The flight whose answer lies on the pad, or may land there, and the key it is sealed under.
  package struct Landing: Sendable {
    package let number: FlightNumber
    package let key: SecretBox
    /// The flight asked for less than was granted: its access token is not the account's.
    package let isNarrowed: Bool

    package init(number: FlightNumber, key: SecretBox, isNarrowed: Bool = false) {
      self.number = number
      self.key = key
      self.isNarrowed = isNarrowed
    }
  }

  package static let hashCount = 32
  private static let keyCount = 32
  /// Fields of fixed size; with its prefix and seal the block stays within one sector of 512 bytes, which a disk writes
  /// whole or not at all.
  private static let capacity = 200
  /// Beside the kind of state: what the landing is of was narrowed.
  private static let narrowed: UInt8 = 0x80

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
      let mark = landing?.isNarrowed == true ? Self.narrowed : 0
      switch state {
      case .idle: writer.write(1 | mark)
      case .sending(let at, let wall, let sends, let earlier):
        writer.write((earlier == nil ? 2 : 3) | mark)
        writer.write(at)
        writer.write(wall.seconds)
        writer.write(sends)
        if let earlier {
          writer.write(earlier.first)
          writer.write(earlier.last)
        }
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
        let kind = try reader.number(UInt8.self)
        let isNarrowed = kind & Self.narrowed != 0
        return (
          hash, landing.map { Landing(number: $0.number, key: $0.key, isNarrowed: isNarrowed) },
          try Self.state(kind & ~Self.narrowed, &reader)
        )
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

  private static func state(_ kind: UInt8, _ reader: inout FieldReader) throws(FieldError) -> State {
    guard (1...3).contains(kind) else { throw .malformed }
    if kind == 1 { return .idle }
    let at = try reader.moment()
    let wall = WallInstant(seconds: try reader.number())
    let sends = try reader.number(UInt32.self)
    let earlier = kind == 2 ? nil : Earlier(first: try reader.moment(), last: try reader.moment())
    return .sending(at: at, wall: wall, sends: sends, earlier: earlier)
  }
}

extension FieldWriter {
  fileprivate mutating func write(_ moment: BootMoment) {
    write(moment.boot.high)
    write(moment.boot.low)
    write(moment.instant.nanoseconds)
  }
}

extension FieldReader {
  fileprivate mutating func moment() throws(FieldError) -> BootMoment {
    let boot = BootID(high: try number(), low: try number())
    return BootMoment(boot: boot, instant: BootInstant(nanoseconds: try number()))
  }
}
