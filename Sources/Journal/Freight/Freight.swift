import Exchange
package import Secrets

/// The messages between daemon and courier as bytes: a kind, then fields.
package enum Freight {
  /// The most bytes of one message.
  package static let maximumMessage = 64 << 10
  /// The most bytes of a request's body.
  package static let maximumBody = 32 << 10
  static let maximumBearer = 16 << 10
  static let maximumPath = 4096
  /// The most bytes of an error's text; a longer one is cut.
  static let maximumText = 200

  enum Kind: UInt8 {
    case briefing = 1
    case request, go
    case ready = 16
    case connected, departed, landed, answer, notSent, unknown
  }

  /// Throws when a part is longer than its limit.
  package static func encode(_ message: ToCourier) throws(FieldError) -> SecretBytes {
    try SecretBytes.fields(capacity: maximumMessage) { writer in
      switch message {
      case .briefing(let briefing):
        writer.write(Kind.briefing.rawValue)
        writer.write(optional: briefing.journal) { writer, place in
          writer.write(place.directory)
          writer.write(place.name)
          writer.write(place.inode.device)
          writer.write(place.inode.number)
        }
        writer.write(optional: briefing.caFile) { $0.write($1) }
        writer.write(optional: briefing.faults) { $0.write($1) }
      case .request(let request, let ticket):
        writer.write(Kind.request.rawValue)
        writer.write(request)
        writer.write(optional: ticket) { $0.write($1) }
      case .go: writer.write(Kind.go.rawValue)
      }
    }
  }

  package static func encode(_ message: FromCourier) throws(FieldError) -> SecretBytes {
    try SecretBytes.fields(capacity: maximumMessage) { writer in
      switch message {
      case .ready(let version):
        writer.write(Kind.ready.rawValue)
        writer.write(version)
      case .connected: writer.write(Kind.connected.rawValue)
      case .departed: writer.write(Kind.departed.rawValue)
      case .landed: writer.write(Kind.landed.rawValue)
      case .answer(let answer):
        writer.write(Kind.answer.rawValue)
        writer.write(answer)
      case .notSent(let why):
        writer.write(Kind.notSent.rawValue)
        writer.write(String(why.prefix(maximumText)))
      case .unknown(let why):
        writer.write(Kind.unknown.rawValue)
        writer.write(String(why.prefix(maximumText)))
      }
    }
  }

  package static func toCourier(_ message: borrowing SecretBytes) throws(FieldError) -> ToCourier {
    try message.readFields { reader throws(FieldError) in
      switch Kind(rawValue: try reader.number()) {
      case .briefing: return .briefing(try reader.briefing())
      case .request:
        let request = try reader.request()
        return .request(request, try reader.optional { reader throws(FieldError) in try reader.ticket() })
      case .go: return .go
      case .ready, .connected, .departed, .landed, .answer, .notSent, .unknown, nil: throw .malformed
      }
    }
  }

  package static func fromCourier(_ message: borrowing SecretBytes) throws(FieldError) -> FromCourier {
    try message.readFields { reader throws(FieldError) in
      switch Kind(rawValue: try reader.number()) {
      case .ready: return .ready(landlockVersion: try reader.number())
      case .connected: return .connected
      case .departed: return .departed
      case .landed: return .landed
      case .answer: return .answer(try reader.answer())
      case .notSent: return .notSent(try reader.text(atMost: 4 * maximumText))
      case .unknown: return .unknown(try reader.text(atMost: 4 * maximumText))
      case .briefing, .request, .go, nil: throw .malformed
      }
    }
  }
}
