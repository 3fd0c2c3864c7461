package import JSON

extension Wire {
  /// Streams events. The first reply is `watching`.
  package enum Monitor: VarlinkMethod {
    package static let name = "Monitor"
    package static let streams = true

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
        .required("event", .string),
        .optional("account", .string),
        .optional("generation", .integer(Limit.generation)),
        .optional("detail", .string),
      ]

      package let event: Event
      /// The account's name; absent when it concerns all.
      package let account: String?
      package let generation: Int64?
      package let detail: String?

      package init(
        event: Event, account: String? = nil, generation: Int64? = nil, detail: String? = nil
      ) {
        self.event = event
        self.account = account
        self.generation = generation
        self.detail = detail
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        event = Event(rawValue: try members.string("event"))
        account = try members.string(ifPresent: "account")
        generation = try members.int(ifPresent: "generation")
        detail = try members.string(ifPresent: "detail")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("event", event.rawValue)
        writer.member("account", account)
        writer.member("generation", generation)
        writer.member("detail", detail)
      }
    }
  }
}
