package import JSON

extension Wire {
  /// Lists the accounts.
  package enum List: VarlinkMethod {
    package static let name = "List"

    package typealias Parameters = NoFields

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("accounts", .array(.named("Account")))
      ]

      package let accounts: [Account]

      package init(
        accounts: [Account]
      ) {
        self.accounts = accounts
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        accounts = try members.structs("accounts", of: Account.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("accounts", structs: accounts)
      }
    }
  }
}
