package import JSON

extension Wire {
  /// What `login` was given about an issuer and client.
  package struct Registration: WireStruct, Equatable {
    package static let fields: [WireField] = [
      .optional("issuer", .text(atMost: Limit.text)),
      .optional("kind", .text(atMost: Limit.text)),
      .optional("publishableKey", .text(atMost: Limit.text)),
      .optional("clientId", .text(atMost: Limit.text)),
      .optional("redirectUri", .text(atMost: Limit.text)),
      .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
      .optional("store", .text(atMost: Limit.text)),
    ]

    package let issuer: String?
    package let kind: String?
    package let publishableKey: String?
    /// `client_id` (RFC 6749 §2.2).
    package let clientId: String?
    /// `redirect_uri` (RFC 6749 §3.1.2), exactly as registered.
    package let redirectUri: String?
    package let scopes: [String]?
    package let store: String?

    package init(
      issuer: String? = nil, kind: String? = nil, publishableKey: String? = nil, clientId: String? = nil,
      redirectUri: String? = nil, scopes: [String]? = nil, store: String? = nil
    ) {
      self.issuer = issuer
      self.kind = kind
      self.publishableKey = publishableKey
      self.clientId = clientId
      self.redirectUri = redirectUri
      self.scopes = scopes
      self.store = store
    }

    package init(members: JSONObject) throws(JSONMemberError) {
      issuer = try members.string(ifPresent: "issuer")
      kind = try members.string(ifPresent: "kind")
      publishableKey = try members.string(ifPresent: "publishableKey")
      clientId = try members.string(ifPresent: "clientId")
      redirectUri = try members.string(ifPresent: "redirectUri")
      scopes = try members.strings(ifPresent: "scopes")
      store = try members.string(ifPresent: "store")
    }

    package func write(to writer: inout JSONWriter) {
      writer.member("issuer", issuer)
      writer.member("kind", kind)
      writer.member("publishableKey", publishableKey)
      writer.member("clientId", clientId)
      writer.member("redirectUri", redirectUri)
      writer.member("scopes", strings: scopes)
      writer.member("store", store)
    }
  }
}
