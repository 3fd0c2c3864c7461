package import JSON

extension Wire {
  /// Signs in. Streams: first the URL to open, then who signed in.
  package enum SignIn: VarlinkMethod {
    package static let name = "SignIn"
    package static let streams = true

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .optional("registration", .named("Registration")),
        .optional("flow", .text(atMost: Limit.listedText)),
        .optional("browser", .text(atMost: Limit.listedText)),
        .optional("locales", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("acrValues", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("maxAge", .integer(Limit.maxAge)),
        .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// A new issuer or client: only from the terminal form, which has asked.
      package let registration: Registration?
      /// How the answer is to come: `loopback`, `relay`, `device` or `paste`; absent: what fits.
      package let flow: String?
      /// Where the caller's browser runs: `here` or `elsewhere`; absent: not known.
      package let browser: String?
      /// `ui_locales`, in order of preference.
      package let locales: [String]?
      /// `acr_values` (OpenID Connect Core §3.1.2.1): how the person is to prove who they are.
      package let acrValues: [String]?
      /// `max_age`, in seconds: how long ago that may have been.
      package let maxAge: Int64?
      /// Scopes beside those that the account has.
      package let scopes: [String]?

      package init(
        account: String? = nil, registration: Registration? = nil, flow: String? = nil, browser: String? = nil,
        locales: [String]? = nil, acrValues: [String]? = nil, maxAge: Int64? = nil, scopes: [String]? = nil
      ) {
        self.account = account
        self.registration = registration
        self.flow = flow
        self.browser = browser
        self.locales = locales
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.scopes = scopes
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        registration = try members.object(ifPresent: "registration").map { (object) throws(JSONMemberError) in
          try Registration(strict: object)
        }
        flow = try members.string(ifPresent: "flow")
        browser = try members.string(ifPresent: "browser")
        locales = try members.strings(ifPresent: "locales")
        acrValues = try members.strings(ifPresent: "acrValues")
        maxAge = try members.int(ifPresent: "maxAge")
        scopes = try members.strings(ifPresent: "scopes")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        if let registration { writer.member("registration", object: { registration.write(to: &$0) }) }
        writer.member("flow", flow)
        writer.member("browser", browser)
        writer.member("locales", strings: locales)
        writer.member("acrValues", strings: acrValues)
        writer.member("maxAge", maxAge)
        writer.member("scopes", strings: scopes)
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("stage", .string),
        .optional("attempt", .string),
        .optional("url", .string),
        .optional("flow", .string),
        .optional("userCode", .string),
        .optional("verificationUri", .string),
        .optional("expiresIn", .int),
        .optional("account", .string),
        .optional("issuer", .string),
        .optional("subject", .string),
        .optional("claims", .array(.named("Claim"))),
        .optional("isNew", .bool),
      ]

      package let stage: SignInStage
      /// Names the attempt, for `CompleteSignIn`.
      package let attempt: String?
      /// The authorization request to open in the external user-agent.
      package let url: String?
      /// How the answer comes: as asked, or as chosen.
      package let flow: String?
      /// `user_code` (RFC 8628 §3.2), which the person types.
      package let userCode: String?
      /// `verification_uri` (RFC 8628 §3.2), where they type it: to be shown.
      package let verificationUri: String?
      /// Seconds until the code runs out.
      package let expiresIn: Int64?
      package let account: String?
      package let issuer: String?
      /// `sub` (OpenID Connect Core §2).
      package let subject: String?
      package let claims: [Claim]?
      /// Nobody was signed in to this account before.
      package let isNew: Bool?

      package init(
        stage: SignInStage, attempt: String? = nil, url: String? = nil, flow: String? = nil,
        userCode: String? = nil, verificationUri: String? = nil, expiresIn: Int64? = nil, account: String? = nil,
        issuer: String? = nil, subject: String? = nil, claims: [Claim]? = nil, isNew: Bool? = nil
      ) {
        self.stage = stage
        self.attempt = attempt
        self.url = url
        self.flow = flow
        self.userCode = userCode
        self.verificationUri = verificationUri
        self.expiresIn = expiresIn
        self.account = account
        self.issuer = issuer
        self.subject = subject
        self.claims = claims
        self.isNew = isNew
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        stage = SignInStage(rawValue: try members.string("stage"))
        attempt = try members.string(ifPresent: "attempt")
        url = try members.string(ifPresent: "url")
        flow = try members.string(ifPresent: "flow")
        userCode = try members.string(ifPresent: "userCode")
        verificationUri = try members.string(ifPresent: "verificationUri")
        expiresIn = try members.int(ifPresent: "expiresIn")
        account = try members.string(ifPresent: "account")
        issuer = try members.string(ifPresent: "issuer")
        subject = try members.string(ifPresent: "subject")
        claims = try members.structs(ifPresent: "claims", of: Claim.self)
        isNew = try members.bool(ifPresent: "isNew")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("stage", stage.rawValue)
        writer.member("attempt", attempt)
        writer.member("url", url)
        writer.member("flow", flow)
        writer.member("userCode", userCode)
        writer.member("verificationUri", verificationUri)
        writer.member("expiresIn", expiresIn)
        writer.member("account", account)
        writer.member("issuer", issuer)
        writer.member("subject", subject)
        writer.member("claims", structs: claims)
        writer.member("isNew", isNew)
      }
    }
  }
}
