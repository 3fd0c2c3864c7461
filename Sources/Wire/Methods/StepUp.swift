package import JSON

extension Wire {
  /// Proves more before one sensitive action. Streams: first the page to open, then that the issuer approved.
  package enum StepUp: VarlinkMethod {
    package static let name = "StepUp"
    package static let streams = true

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .required("action", .text(atMost: Limit.word)),
        .optional("amount", .text(atMost: Limit.word)),
        .optional("currency", .text(atMost: Limit.word)),
        .optional("returnTo", .text(atMost: Limit.text)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// What is about to be done: `payout`, `bank` or `contact`.
      package let action: String
      /// How much, for a payout.
      package let amount: String?
      /// ISO 4217.
      package let currency: String?
      /// Where the browser ends, exactly as registered.
      package let returnTo: String?

      package init(
        account: String? = nil, action: String, amount: String? = nil, currency: String? = nil,
        returnTo: String? = nil
      ) {
        self.account = account
        self.action = action
        self.amount = amount
        self.currency = currency
        self.returnTo = returnTo
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        action = try members.string("action")
        amount = try members.string(ifPresent: "amount")
        currency = try members.string(ifPresent: "currency")
        returnTo = try members.string(ifPresent: "returnTo")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("action", action)
        writer.member("amount", amount)
        writer.member("currency", currency)
        writer.member("returnTo", returnTo)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("stage", .string),
        .required("account", .string),
        .optional("url", .string),
      ]

      package let stage: StepUpStage
      package let account: String
      /// The page to open in the external user-agent.
      package let url: String?

      package init(stage: StepUpStage, account: String, url: String? = nil) {
        self.stage = stage
        self.account = account
        self.url = url
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        stage = StepUpStage(rawValue: try members.string("stage"))
        account = try members.string("account")
        url = try members.string(ifPresent: "url")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("stage", stage.rawValue)
        writer.member("account", account)
        writer.member("url", url)
      }
    }
  }
}
