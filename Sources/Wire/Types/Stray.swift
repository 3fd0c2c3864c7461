package import JSON

extension Wire {
  /// What a store keeps and no account has. Holds no secret; whoever wrote it chose account and label.
  package struct Stray: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("store", .string),
      .required("account", .string),
      .required("label", .string),
    ]

    package let store: String
    /// The id of the account that it says it is of.
    package let account: String
    /// What a person sees of it in the store.
    package let label: String

    package init(store: String, account: String, label: String) {
      self.store = store
      self.account = account
      self.label = label
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      store = try members.string("store")
      account = try members.string("account")
      label = try members.string("label")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("store", store)
      writer.member("account", account)
      writer.member("label", label)
    }
  }
}
