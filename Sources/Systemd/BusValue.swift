/// A value that a message carries, as far as we need them (D-Bus Specification, "Type System").
package indirect enum BusValue: Equatable, Sendable {
  case string(String)
  case boolean(Bool)
  case unsigned(UInt32)
  /// Elements of one type, which is given by its signature because there may be none.
  case array(of: String, [BusValue])
  case structure([BusValue])
  /// `a{sv}`, in this order.
  case properties([Property])

  package var signature: String {
    switch self {
    case .string: "s"
    case .boolean: "b"
    case .unsigned: "u"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .properties: "a{sv}"
    }
  }

  package struct Property: Equatable, Sendable {
    package let name: String
    package let value: BusValue

    package init(_ name: String, _ value: BusValue) {
      self.name = name
      self.value = value
    }
  }
}
