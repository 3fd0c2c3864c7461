package import JSON
package import Secrets

extension Wire {
  /// Hands out an access token that lives at least as long as asked. Never opens a window.
  package enum GetAccessToken: VarlinkMethod {
    package static let name = "GetAccessToken"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .optional("minValid", .integer(Limit.minValid)),
        .optional("force", .bool),
        .optional("timeout", .integer(Limit.timeout)),
        .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("resource", .text(atMost: Limit.text)),
        .optional("acrValues", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("maxAge", .integer(Limit.maxAge)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// Seconds of life asked for.
      package let minValid: Int64?
      /// Refresh even when not due.
      package let force: Bool
      /// Seconds to wait at most.
      package let timeout: Int64?
      /// `scope` (RFC 6749 §6): a token for these alone, of those that were granted.
      package let scopes: [String]?
      /// `resource` (RFC 8707 §2.2): a token for this resource alone.
      package let resource: String?
      /// `acr_values` of a challenge (RFC 9470 §3): how the person must have signed in.
      package let acrValues: [String]?
      /// `max_age` of a challenge, in seconds: how long ago that may have been.
      package let maxAge: Int64?

      package init(
        account: String? = nil, minValid: Int64? = nil, force: Bool = false, timeout: Int64? = nil,
        scopes: [String]? = nil, resource: String? = nil, acrValues: [String]? = nil, maxAge: Int64? = nil
      ) {
        self.account = account
        self.minValid = minValid
        self.force = force
        self.timeout = timeout
        self.scopes = scopes
        self.resource = resource
        self.acrValues = acrValues
        self.maxAge = maxAge
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        minValid = try members.int(ifPresent: "minValid")
        force = try members.bool(ifPresent: "force") ?? false
        timeout = try members.int(ifPresent: "timeout")
        scopes = try members.strings(ifPresent: "scopes")
        resource = try members.string(ifPresent: "resource")
        acrValues = try members.strings(ifPresent: "acrValues")
        maxAge = try members.int(ifPresent: "maxAge")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("minValid", minValid)
        if force { writer.member("force", true) }
        writer.member("timeout", timeout)
        writer.member("scopes", strings: scopes)
        writer.member("resource", resource)
        writer.member("acrValues", strings: acrValues)
        writer.member("maxAge", maxAge)
      }
    }

    package struct Reply: WireStruct {
      package static let fields: [WireField] = [
        .required("accessToken", .secret(atMost: maximumFrame)),
        .required("tokenType", .string),
        .required("account", .string),
        .required("issuer", .string),
        .required("expiresIn", .int),
        .optional("scope", .string),
        .required("generation", .integer(Limit.generation)),
        .required("shorter", .bool),
        .required("refreshed", .bool),
        .optional("hindrance", .string),
      ]

      /// `access_token` (RFC 6749 §5.1).
      package let accessToken: SecretBox
      /// `token_type` (RFC 6749 §7.1).
      package let tokenType: String
      /// The account's name.
      package let account: String
      package let issuer: String
      /// Seconds of life left.
      package let expiresIn: Int64
      /// `scope` (RFC 6749 §3.3) as granted, if the issuer said.
      package let scope: String?
      package let generation: Int64
      /// The token lives less long than asked.
      package let shorter: Bool
      /// This call, or one it joined, caused a refresh.
      package let refreshed: Bool
      /// Why a forced refresh did not happen, when it is not that the last one is too recent.
      package let hindrance: String?

      package init(
        accessToken: SecretBox, tokenType: String, account: String, issuer: String, expiresIn: Int64,
        scope: String? = nil, generation: Int64, shorter: Bool, refreshed: Bool, hindrance: String? = nil
      ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.account = account
        self.issuer = issuer
        self.expiresIn = expiresIn
        self.scope = scope
        self.generation = generation
        self.shorter = shorter
        self.refreshed = refreshed
        self.hindrance = hindrance
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        accessToken = try members.secret("accessToken")
        tokenType = try members.string("tokenType")
        account = try members.string("account")
        issuer = try members.string("issuer")
        expiresIn = try members.int("expiresIn")
        scope = try members.string(ifPresent: "scope")
        generation = try members.int("generation")
        shorter = try members.bool("shorter")
        refreshed = try members.bool("refreshed")
        hindrance = try members.string(ifPresent: "hindrance")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("accessToken", secret: accessToken)
        writer.member("tokenType", tokenType)
        writer.member("account", account)
        writer.member("issuer", issuer)
        writer.member("expiresIn", expiresIn)
        writer.member("scope", scope)
        writer.member("generation", generation)
        writer.member("shorter", shorter)
        writer.member("refreshed", refreshed)
        writer.member("hindrance", hindrance)
      }
    }
  }
}
