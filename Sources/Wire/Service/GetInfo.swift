package import JSON

extension Wire {
  /// Says what serves here.
  package enum GetInfo: VarlinkMethod {
    package static let interface = ServiceDescription.name
    package static let name = "GetInfo"

    package typealias Parameters = NoFields

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("vendor", .string),
        .required("product", .string),
        .required("version", .string),
        .required("url", .string),
        .required("interfaces", .array(.string)),
      ]

      package let vendor: String
      package let product: String
      package let version: String
      package let url: String
      package let interfaces: [String]

      package init(
        vendor: String, product: String, version: String, url: String, interfaces: [String]
      ) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = interfaces
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        vendor = try members.string("vendor")
        product = try members.string("product")
        version = try members.string("version")
        url = try members.string("url")
        interfaces = try members.strings("interfaces")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("vendor", vendor)
        writer.member("product", product)
        writer.member("version", version)
        writer.member("url", url)
        writer.member("interfaces", strings: interfaces)
      }
    }
  }
}
