package import JSON
package import Secrets

extension Wire {
  /// Registers a client at an issuer (RFC 7591), and says how it is configured. Nothing of it is kept.
  package enum RegisterClient: VarlinkMethod {
    package static let name = "RegisterClient"

    package struct Parameters: WireStruct {
      package static let fields: [WireField] = [
        .required("issuer", .text(atMost: Limit.text)),
        .optional("kind", .text(atMost: Limit.text)),
        .optional("redirectUri", .text(atMost: Limit.text)),
        .optional("clientName", .text(atMost: Limit.text)),
        .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("clientSecretFile", .text(atMost: Limit.path)),
        .optional("management", .bool),
        .optional("initialAccessToken", .secret(atMost: Limit.bearer)),
      ]

      /// A configured issuer's name, or an issuer's URL.
      package let issuer: String
      package let kind: String?
      package let redirectUri: String?
      package let clientName: String?
      package let scopes: [String]?
      /// Where the caller will keep the client's secret; absent: the client is to have none.
      package let clientSecretFile: String?
      /// Whether the answer is to hold what manages the client later (RFC 7592).
      package let management: Bool?
      /// What the issuer gave the person to register with (RFC 7591 §3).
      package let initialAccessToken: SecretBox?

      package init(
        issuer: String, kind: String? = nil, redirectUri: String? = nil, clientName: String? = nil,
        scopes: [String]? = nil, clientSecretFile: String? = nil, management: Bool? = nil,
        initialAccessToken: SecretBox? = nil
      ) {
        self.issuer = issuer
        self.kind = kind
        self.redirectUri = redirectUri
        self.clientName = clientName
        self.scopes = scopes
        self.clientSecretFile = clientSecretFile
        self.management = management
        self.initialAccessToken = initialAccessToken
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        issuer = try members.string("issuer")
        kind = try members.string(ifPresent: "kind")
        redirectUri = try members.string(ifPresent: "redirectUri")
        clientName = try members.string(ifPresent: "clientName")
        scopes = try members.strings(ifPresent: "scopes")
        clientSecretFile = try members.string(ifPresent: "clientSecretFile")
        management = try members.bool(ifPresent: "management")
        initialAccessToken = try members.secret(ifPresent: "initialAccessToken")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("issuer", issuer)
        writer.member("kind", kind)
        writer.member("redirectUri", redirectUri)
        writer.member("clientName", clientName)
        writer.member("scopes", strings: scopes)
        writer.member("clientSecretFile", clientSecretFile)
        writer.member("management", management)
        writer.member("initialAccessToken", secret: initialAccessToken)
      }
    }

    package struct Reply: WireStruct {
      package static let fields: [WireField] = [
        .required("issuer", .string),
        .required("name", .string),
        .required("clientId", .string),
        .required("redirectUri", .string),
        .required("scopes", .array(.string)),
        .required("configuration", .string),
        .required("notes", .array(.string)),
        .optional("clientSecret", .secret(atMost: maximumFrame)),
        .optional("secretExpiresIn", .int),
        .optional("registrationClientUri", .string),
        .optional("registrationAccessToken", .secret(atMost: maximumFrame)),
      ]

      package let issuer: String
      /// The NAME of the group `[issuer NAME]`.
      package let name: String
      package let clientId: String
      package let redirectUri: String
      package let scopes: [String]
      /// The group as text.
      package let configuration: String
      /// What the issuer did otherwise than it was asked, and what is kept nowhere.
      package let notes: [String]
      /// Only when ``Parameters/clientSecretFile`` was given.
      package let clientSecret: SecretBox?
      /// Seconds of life that the secret has; absent when it stays good.
      package let secretExpiresIn: Int64?
      /// Only when ``Parameters/management`` was asked for.
      package let registrationClientUri: String?
      package let registrationAccessToken: SecretBox?

      package init(
        issuer: String, name: String, clientId: String, redirectUri: String, scopes: [String], configuration: String,
        notes: [String], clientSecret: SecretBox? = nil, secretExpiresIn: Int64? = nil,
        registrationClientUri: String? = nil, registrationAccessToken: SecretBox? = nil
      ) {
        self.issuer = issuer
        self.name = name
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.scopes = scopes
        self.configuration = configuration
        self.notes = notes
        self.clientSecret = clientSecret
        self.secretExpiresIn = secretExpiresIn
        self.registrationClientUri = registrationClientUri
        self.registrationAccessToken = registrationAccessToken
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        issuer = try members.string("issuer")
        name = try members.string("name")
        clientId = try members.string("clientId")
        redirectUri = try members.string("redirectUri")
        scopes = try members.strings("scopes")
        configuration = try members.string("configuration")
        notes = try members.strings("notes")
        clientSecret = try members.secret(ifPresent: "clientSecret")
        secretExpiresIn = try members.int(ifPresent: "secretExpiresIn")
        registrationClientUri = try members.string(ifPresent: "registrationClientUri")
        registrationAccessToken = try members.secret(ifPresent: "registrationAccessToken")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("issuer", issuer)
        writer.member("name", name)
        writer.member("clientId", clientId)
        writer.member("redirectUri", redirectUri)
        writer.member("scopes", strings: scopes)
        writer.member("configuration", configuration)
        writer.member("notes", strings: notes)
        writer.member("clientSecret", secret: clientSecret)
        writer.member("secretExpiresIn", secretExpiresIn)
        writer.member("registrationClientUri", registrationClientUri)
        writer.member("registrationAccessToken", secret: registrationAccessToken)
      }
    }
  }
}
