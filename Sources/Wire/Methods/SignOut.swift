package import JSON

extension Wire {
  /// Ends the session at the issuer and removes everything kept here.
  package enum SignOut: VarlinkMethod {
    package static let name = "SignOut"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .optional("all", .bool),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// Every account.
      package let all: Bool

      package init(
        account: String? = nil, all: Bool = false
      ) {
        self.account = account
        self.all = all
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        all = try members.bool(ifPresent: "all") ?? false
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        if all { writer.member("all", true) }
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("accounts", .array(.named("SignedOut")))
      ]

      package let accounts: [SignedOut]

      package init(
        accounts: [SignedOut]
      ) {
        self.accounts = accounts
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        accounts = try members.structs("accounts", of: SignedOut.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("accounts", structs: accounts)
      }
    }
  }
}
