package import JSON

extension Wire {
  /// Says that a resource refused a token. At most one refresh per generation follows.
  package enum ReportRejected: VarlinkMethod {
    package static let name = "ReportRejected"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .required("generation", .integer(Limit.generation)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// The generation of the token that was refused.
      package let generation: Int64

      package init(
        account: String? = nil, generation: Int64
      ) {
        self.account = account
        self.generation = generation
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        generation = try members.int("generation")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("generation", generation)
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
