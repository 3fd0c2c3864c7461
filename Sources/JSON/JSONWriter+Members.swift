package import Secrets

/// Members in one call. An optional value that is nil writes nothing: absent and `null` mean the same to readers here.
extension JSONWriter {
  package mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  package mutating func member(_ name: String, _ value: Int64?) {
    guard let value else { return }
    self.name(name)
    int(value)
  }

  package mutating func member(_ name: String, _ value: Bool?) {
    guard let value else { return }
    self.name(name)
    bool(value)
  }

  /// Writes the secret from the arena, without a copy in between.
  package mutating func member(_ name: String, secret: SecretBox?) {
    guard let secret else { return }
    self.name(name)
    self.secret(secret)
  }

  package mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
    self.name(name)
    object(body)
  }

  package mutating func member(_ name: String, array body: (inout JSONWriter) -> Void) {
    self.name(name)
    array(body)
  }

  package mutating func member(_ name: String, strings: [String]?) {
    guard let strings else { return }
    member(name, array: { writer in for text in strings { writer.string(text) } })
  }

  /// Any value that was read.
  package mutating func member(_ name: String, value: JSONValue) {
    self.name(name)
    self.value(value)
  }

  /// Any value that was read, its secrets included.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): int(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .secret(let box): secret(box)
    case .array(let elements): array { writer in for element in elements { writer.value(element) } }
    case .object(let object):
      self.object { writer in for member in object.members { writer.member(member.name, value: member.value) } }
    }
  }
}

extension WipedBuffer {
  /// Appends one JSON object.
  package mutating func appendObject(_ body: (inout JSONWriter) -> Void) {
    var empty = WipedBuffer()
    swap(&empty, &self)
    var writer = JSONWriter(appendingTo: empty)
    writer.object(body)
    self = writer.finish()
  }
}
