package import JSON

extension Wire {
  /// Asks a callback's owner, by the association file on its site, whether it lists us.
  package enum CheckAssociation: VarlinkMethod {
    package static let name = "CheckAssociation"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("domain", .text(atMost: Limit.text)),
        .optional("account", .text(atMost: Limit.text)),
      ]

      /// The callback's host; absent: of the account's callback.
      package let domain: String?
      /// The account's name, its id, or its issuer's URL; only it is looked at then.
      package let account: String?

      package init(domain: String? = nil, account: String? = nil) {
        self.domain = domain
        self.account = account
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        domain = try members.string(ifPresent: "domain")
        account = try members.string(ifPresent: "account")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("domain", domain)
        writer.member("account", account)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("domain", .string),
        .required("state", .string),
        .required("checkedAgo", .int),
        .optional("detail", .string),
        .required("clients", .array(.named("AssociatedClient"))),
      ]

      package let domain: String
      /// `published`, `absent` or `unreachable`.
      package let state: String
      /// Seconds since the site said so.
      package let checkedAgo: Int64
      /// Why the site could not be asked anew.
      package let detail: String?
      package let clients: [AssociatedClient]

      package init(domain: String, state: String, checkedAgo: Int64, detail: String?, clients: [AssociatedClient]) {
        self.domain = domain
        self.state = state
        self.checkedAgo = checkedAgo
        self.detail = detail
        self.clients = clients
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        domain = try members.string("domain")
        state = try members.string("state")
        checkedAgo = try members.int("checkedAgo")
        detail = try members.string(ifPresent: "detail")
        clients = try members.structs("clients", of: AssociatedClient.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("domain", domain)
        writer.member("state", state)
        writer.member("checkedAgo", checkedAgo)
        writer.member("detail", detail)
        writer.member("clients", structs: clients)
      }
    }
  }
}
