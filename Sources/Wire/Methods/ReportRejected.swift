package import JSON

extension Wire {
  /// Says that a resource refused a token. At most one refresh per generation follows.
  package enum ReportRejected: VarlinkMethod {
    package static let name = "ReportRejected"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .required("generation", .integer(Limit.generation)),
        .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("resource", .text(atMost: Limit.text)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// The generation of the token that was refused.
      package let generation: Int64
      /// What the token was narrowed to, as it was asked for.
      package let scopes: [String]?
      package let resource: String?

      package init(
        account: String? = nil, generation: Int64, scopes: [String]? = nil, resource: String? = nil
      ) {
        self.account = account
        self.generation = generation
        self.scopes = scopes
        self.resource = resource
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        generation = try members.int("generation")
        scopes = try members.strings(ifPresent: "scopes")
        resource = try members.string(ifPresent: "resource")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("generation", generation)
        writer.member("scopes", strings: scopes)
        writer.member("resource", resource)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("refreshing", .bool)
      ]

      package let refreshing: Bool

      package init(
        refreshing: Bool
      ) {
        self.refreshing = refreshing
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        refreshing = try members.bool("refreshing")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("refreshing", refreshing)
      }
    }
  }
}
