package import Secrets

/// A JSON value (RFC 8259 §3).
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that 64 bits hold.
  case integer(Int64)
  /// Any other number. It is finite.
  case number(Double)
  case string(String)
  /// A string that was read as a secret: the value of a secret member, or inside one.
  case secret(SecretBox)
  case array([JSONValue])
  case object(JSONObject)

  /// What kind of value it is, for messages.
  package var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .number: .number
    case .string, .secret: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// The kinds of JSON values, in the words of messages.
package enum JSONKind: String, Equatable, Sendable {
  case null
  case bool = "true or false"
  case integer = "an integer"
  case number = "a number"
  case string = "a string"
  case array = "an array"
  case object = "an object"
}

extension JSONValue: Equatable {
  /// Strings are compared code by code (RFC 8259 §8.3), not as Swift does, for which the Kelvin sign is a K. Secrets are
  /// compared in constant time; a string never equals a secret.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.secret(let a), .secret(let b)): a.isEqual(to: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.secret, _), (.array, _), (.object, _):
      false
    }
  }
}
