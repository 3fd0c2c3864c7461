package import JSON

extension Wire {
  /// One of our clients whose browser comes back to a site, and whether the site lists it.
  package struct AssociatedClient: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("name", .string),
      .required("issuer", .string),
      .optional("clientId", .string),
      .required("callback", .string),
      .required("listed", .bool),
    ]

    /// The account's name, or the configured issuer's.
    package let name: String
    package let issuer: String
    /// Absent when we were never told it; then it is not compared.
    package let clientId: String?
    package let callback: String
    package let listed: Bool

    package init(name: String, issuer: String, clientId: String?, callback: String, listed: Bool) {
      self.name = name
      self.issuer = issuer
      self.clientId = clientId
      self.callback = callback
      self.listed = listed
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      name = try members.string("name")
      issuer = try members.string("issuer")
      clientId = try members.string(ifPresent: "clientId")
      callback = try members.string("callback")
      listed = try members.bool("listed")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("issuer", issuer)
      writer.member("clientId", clientId)
      writer.member("callback", callback)
      writer.member("listed", listed)
    }
  }
}
