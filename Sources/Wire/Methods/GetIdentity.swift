package import JSON

extension Wire {
  /// Says who is signed in, from the verified ID token.
  package enum GetIdentity: VarlinkMethod {
    package static let name = "GetIdentity"

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
        .required("issuer", .string),
        .required("subject", .string),
        .required("claims", .array(.named("Claim"))),
      ]

      package let account: String
      package let issuer: String
      /// `sub` (OpenID Connect Core §2).
      package let subject: String
      package let claims: [Claim]

      package init(
        account: String, issuer: String, subject: String, claims: [Claim]
      ) {
        self.account = account
        self.issuer = issuer
        self.subject = subject
        self.claims = claims
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string("account")
        issuer = try members.string("issuer")
        subject = try members.string("subject")
        claims = try members.structs("claims", of: Claim.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("issuer", issuer)
        writer.member("subject", subject)
        writer.member("claims", structs: claims)
      }
    }
  }
}
