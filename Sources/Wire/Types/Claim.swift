package import JSON

extension Wire {
  /// A claim fit to be shown.
  package struct Claim: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("name", .string),
      .required("value", .string),
    ]

    package let name: String
    package let value: String

    package init(
      name: String, value: String
    ) {
      self.name = name
      self.value = value
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      name = try members.string("name")
      value = try members.string("value")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("value", value)
    }
  }
}
