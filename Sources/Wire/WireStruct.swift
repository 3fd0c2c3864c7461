package import JSON

/// A message's parameters or a `type` of the interface description.
package protocol WireStruct: Sendable {
  /// The fields, in the order of the description.
  static var fields: [WireField] { get }

  /// Takes what it knows from `members` and passes over the rest, as a client does with a newer daemon's reply.
  init(members: JSONObject) throws(JSONMemberError)

  /// Writes the members into an object that is open.
  func write(to writer: inout JSONWriter)
}

extension WireStruct {
  /// Takes all of `members`, as a daemon does with a call: an unknown member or one past its limit is refused.
  package init(strict members: JSONObject) throws(JSONMemberError) {
    for member in members.members {
      guard let field = Self.fields.first(where: { $0.name == member.name }) else { throw .unknown(member.name) }
      try field.checkLimit(member.value)
    }
    try self.init(members: members)
  }
}

/// A message without fields.
package struct NoFields: WireStruct, Equatable {
  package static let fields: [WireField] = []

  package init() {}
  package init(members: JSONObject) throws(JSONMemberError) {}
  package func write(to writer: inout JSONWriter) {}
}

extension JSONWriter {
  /// Writes an array of structures.
  package mutating func member(_ name: String, structs: [some WireStruct]?) {
    guard let structs else { return }
    member(name, array: { writer in for element in structs { writer.object { element.write(to: &$0) } } })
  }
}

extension JSONObject {
  /// An array of structures, read leniently.
  func structs<S: WireStruct>(_ name: String, of: S.Type) throws(JSONMemberError) -> [S] {
    try objects(name).map { (object) throws(JSONMemberError) in try S(members: object) }
  }

  func structs<S: WireStruct>(ifPresent name: String, of: S.Type) throws(JSONMemberError) -> [S]? {
    try objects(ifPresent: name)?.map { (object) throws(JSONMemberError) in try S(members: object) }
  }
}
