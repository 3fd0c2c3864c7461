/// A JSON object (RFC 8259 §4): members in the order of the text, no name twice.
package struct JSONObject: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: JSONValue
  }

  package private(set) var members: [Member] = []

  package init() {}

  /// The value of the member of that name, or nil without one.
  package subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// Appends a member; false, and nothing happens, when there is one of that name.
  ///
  /// Names are compared as Swift compares text, so two spellings of one character count as one name.
  @discardableResult
  package mutating func append(_ name: String, _ value: JSONValue) -> Bool {
    guard !has(name) else { return false }
    if members.isEmpty { members.reserveCapacity(4) }
    members.append(Member(name: name, value: value))
    return true
  }

  package func has(_ name: String) -> Bool { members.contains { $0.name == name } }
}
