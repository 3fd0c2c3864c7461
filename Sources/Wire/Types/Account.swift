package import JSON

extension Wire {
  /// An account and how it is. Holds no secret.
  package struct Account: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .required("id", .string),
      .required("name", .string),
      .required("issuer", .string),
      .required("kind", .string),
      .required("environment", .string),
      .required("store", .string),
      .required("state", .string),
      .optional("detail", .string),
      .optional("expiresIn", .int),
      .optional("generation", .integer(Limit.generation)),
      .required("renews", .bool),
    ]

    package let id: String
    /// The label a person uses.
    package let name: String
    package let issuer: String
    /// The kind of issuer.
    package let kind: String
    /// Live or sandbox.
    package let environment: String
    /// Where its tokens live.
    package let store: String
    package let state: AccountState
    /// Why it is so, in words, or what went wrong last.
    package let detail: String?
    /// Seconds of life the present access token has left; absent when none is in memory.
    package let expiresIn: Int64?
    package let generation: Int64?
    /// False when the issuer granted no refresh token.
    package let renews: Bool

    package init(
      id: String, name: String, issuer: String, kind: String, environment: String, store: String, state: AccountState,
      detail: String? = nil, expiresIn: Int64? = nil, generation: Int64? = nil, renews: Bool
    ) {
      self.id = id
      self.name = name
      self.issuer = issuer
      self.kind = kind
      self.environment = environment
      self.store = store
      self.state = state
      self.detail = detail
      self.expiresIn = expiresIn
      self.generation = generation
      self.renews = renews
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      id = try members.string("id")
      name = try members.string("name")
      issuer = try members.string("issuer")
      kind = try members.string("kind")
      environment = try members.string("environment")
      store = try members.string("store")
      state = AccountState(rawValue: try members.string("state"))
      detail = try members.string(ifPresent: "detail")
      expiresIn = try members.int(ifPresent: "expiresIn")
      generation = try members.int(ifPresent: "generation")
      renews = try members.bool("renews")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("id", id)
      writer.member("name", name)
      writer.member("issuer", issuer)
      writer.member("kind", kind)
      writer.member("environment", environment)
      writer.member("store", store)
      writer.member("state", state.rawValue)
      writer.member("detail", detail)
      writer.member("expiresIn", expiresIn)
      writer.member("generation", generation)
      writer.member("renews", renews)
    }
  }
}
