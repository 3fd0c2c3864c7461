package import JSON

extension Wire {
  /// How a sign-out ended for one account.
  package struct SignedOut: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("account", .string),
      .required("issuer", .string),
      .required("revoked", .bool),
      .required("wiped", .bool),
      .optional("locked", .bool),
      .optional("note", .string),
    ]

    package let account: String
    package let issuer: String
    /// The issuer ended the session.
    package let revoked: Bool
    /// Looked again, nothing found.
    package let wiped: Bool
    /// What is not wiped waits until its store is unlocked.
    package let locked: Bool?
    package let note: String?

    package init(
      account: String, issuer: String, revoked: Bool, wiped: Bool, locked: Bool? = nil, note: String? = nil
    ) {
      self.account = account
      self.issuer = issuer
      self.revoked = revoked
      self.wiped = wiped
      self.locked = locked
      self.note = note
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      account = try members.string("account")
      issuer = try members.string("issuer")
      revoked = try members.bool("revoked")
      wiped = try members.bool("wiped")
      locked = try members.bool(ifPresent: "locked")
      note = try members.string(ifPresent: "note")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("account", account)
      writer.member("issuer", issuer)
      writer.member("revoked", revoked)
      writer.member("wiped", wiped)
      writer.member("locked", locked)
      writer.member("note", note)
    }
  }
}
