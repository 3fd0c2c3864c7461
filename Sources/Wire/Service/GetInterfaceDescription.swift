package import JSON

extension Wire {
  /// Serves an interface's description.
  package enum GetInterfaceDescription: VarlinkMethod {
    package static let interface = ServiceDescription.name
    package static let name = "GetInterfaceDescription"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("interface", .text(atMost: Limit.text))
      ]

      package let interface: String

      package init(
        interface: String
      ) {
        self.interface = interface
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        interface = try members.string("interface")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("interface", interface)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("description", .string)
      ]

      package let description: String

      package init(
        description: String
      ) {
        self.description = description
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        description = try members.string("description")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("description", description)
      }
    }
  }
}
