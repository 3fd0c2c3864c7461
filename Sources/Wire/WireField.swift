import JSON
import Secrets

/// One field of a message: its name and type as the interface description has them, and its limit.
package struct WireField: Equatable, Sendable {
  package indirect enum Kind: Equatable, Sendable {
    case bool
    case integer(ClosedRange<Int64>)
    /// Text of at most so many bytes.
    case text(atMost: Int)
    /// Secret text of at most so many bytes.
    case secret(atMost: Int)
    /// A `type` of the interface description.
    case named(String)
    case array(Kind, atMost: Int)

    /// Any integer.
    package static let int = Kind.integer(.min ... .max)
    /// Any text that fits a message.
    package static let string = Kind.text(atMost: Wire.maximumReply)
    /// An array of any length that fits a message.
    package static func array(_ element: Kind) -> Kind { .array(element, atMost: Wire.replyLimits.elements) }
  }

  package let name: String
  package let kind: Kind
  /// Whether it may be absent or `null`.
  package let isOptional: Bool

  package static func required(_ name: String, _ kind: Kind) -> Self {
    Self(name: name, kind: kind, isOptional: false)
  }

  package static func optional(_ name: String, _ kind: Kind) -> Self {
    Self(name: name, kind: kind, isOptional: true)
  }

  /// The type as the interface description writes it.
  package var typeText: String { (isOptional ? "?" : "") + kind.typeText }

  /// Throws when `value` is of the right kind and passes the limit. A wrong kind is noticed by whoever reads it.
  func checkLimit(_ value: JSONValue) throws(JSONMemberError) { try checkLimit(value, kind) }

  private func checkLimit(_ value: JSONValue, _ kind: Kind) throws(JSONMemberError) {
    switch kind {
    case .bool, .named: return
    case .integer(let range):
      if case .integer(let number) = value, !range.contains(number) { throw .outOfRange(name, range) }
    case .text(let limit):
      if case .string(let text) = value, text.utf8.count > limit { throw .tooLong(name, limit: limit) }
    case .secret(let limit):
      if case .secret(let box) = value, box.count > limit { throw .tooLong(name, limit: limit) }
    case .array(let element, let limit):
      guard case .array(let elements) = value else { return }
      if elements.count > limit { throw .tooLong(name, limit: limit) }
      for value in elements { try checkLimit(value, element) }
    }
  }
}

extension WireField.Kind {
  fileprivate var typeText: String {
    switch self {
    case .bool: "bool"
    case .integer: "int"
    case .text, .secret: "string"
    case .named(let name): name
    case .array(let element, _): "[]" + element.typeText
    }
  }
}
