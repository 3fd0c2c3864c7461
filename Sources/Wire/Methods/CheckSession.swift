package import JSON

extension Wire {
  /// Asks the issuer whether the session lives, within its budget.
  package enum CheckSession: VarlinkMethod {
    package static let name = "CheckSession"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text))
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?

      package init(
        account: String? = nil
      ) {
        self.account = account
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("account", .string),
        .required("active", .bool),
        .required("checkedAgo", .int),
        .required("claims", .array(.named("Claim"))),
      ]

      package let account: String
      package let active: Bool
      /// Seconds since the issuer was really asked.
      package let checkedAgo: Int64
      package let claims: [Claim]

      package init(
        account: String, active: Bool, checkedAgo: Int64, claims: [Claim]
      ) {
        self.account = account
        self.active = active
        self.checkedAgo = checkedAgo
        self.claims = claims
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string("account")
        active = try members.bool("active")
        checkedAgo = try members.int("checkedAgo")
        claims = try members.structs("claims", of: Claim.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("active", active)
        writer.member("checkedAgo", checkedAgo)
        writer.member("claims", structs: claims)
      }
    }
  }
}
