package import JSON

extension Wire {
  /// Replaces the tokens now, at most once per account in `force-interval`.
  package enum Refresh: VarlinkMethod {
    package static let name = "Refresh"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .optional("timeout", .integer(Limit.timeout)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// Seconds to wait at most.
      package let timeout: Int64?

      package init(
        account: String? = nil, timeout: Int64? = nil
      ) {
        self.account = account
        self.timeout = timeout
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        timeout = try members.int(ifPresent: "timeout")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("timeout", timeout)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("account", .string),
        .required("generation", .integer(Limit.generation)),
        .required("expiresIn", .int),
        .required("refreshed", .bool),
      ]

      package let account: String
      package let generation: Int64
      /// Seconds of life of the new access token.
      package let expiresIn: Int64
      /// False when the last refresh is too recent, and for no other reason.
      package let refreshed: Bool

      package init(
        account: String, generation: Int64, expiresIn: Int64, refreshed: Bool
      ) {
        self.account = account
        self.generation = generation
        self.expiresIn = expiresIn
        self.refreshed = refreshed
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string("account")
        generation = try members.int("generation")
        expiresIn = try members.int("expiresIn")
        refreshed = try members.bool("refreshed")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("generation", generation)
        writer.member("expiresIn", expiresIn)
        writer.member("refreshed", refreshed)
      }
    }
  }
}
