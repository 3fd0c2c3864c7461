package import JSON

extension Wire {
  /// How a sign-out ended for one account.
  package struct SignedOut: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("account", .string),
      .required("issuer", .string),
      .required("revoked", .bool),
      .required("wiped", .bool),
      .optional("note", .string),
    ]

    package let account: String
    package let issuer: String
    /// The issuer ended the session.
    package let revoked: Bool
    /// Looked again, nothing found.
    package let wiped: Bool
    package let note: String?

    package init(
      account: String, issuer: String, revoked: Bool, wiped: Bool, note: String? = nil
    ) {
      self.account = account
      self.issuer = issuer
      self.revoked = revoked
      self.wiped = wiped
      self.note = note
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      account = try members.string("account")
      issuer = try members.string("issuer")
      revoked = try members.bool("revoked")
      wiped = try members.bool("wiped")
      note = try members.string(ifPresent: "note")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("account", account)
      writer.member("issuer", issuer)
      writer.member("revoked", revoked)
      writer.member("wiped", wiped)
      writer.member("note", note)
    }
  }
}
