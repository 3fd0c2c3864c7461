package import Exchange
package import JSON
package import Secrets
package import Time

// The device authorization grant (RFC 8628): its requests, its answers, and when to poll. Pure.

extension TokenRequest {
  /// Asks for a device code and a user code (RFC 8628 §3.1).
  package static func deviceCodes(scopes: [String], clientID: String) -> TokenRequest {
    TokenRequest(
      [Parameter("client_id", clientID)]
        + (scopes.isEmpty ? [] : [Parameter("scope", scopes.joined(separator: " "))]))
  }

  /// Asks whether the person has decided (RFC 8628 §3.4).
  package static func device(_ deviceCode: SecretBox, clientID: String) -> TokenRequest {
    TokenRequest([
      Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
      Parameter("device_code", secret: deviceCode), Parameter("client_id", clientID),
    ])
  }
}

/// A device authorization response (RFC 8628 §3.2) that was looked at once, strictly: a person types what is in it.
package struct DeviceAuthorization: Sendable {
  /// The most bytes of a device code.
  package static let maximumDeviceCode = 4096
  /// The most characters of a user code.
  package static let maximumUserCode = 64
  /// The longest life of the codes that is believed.
  package static let longestLife: Int64 = 1800
  /// Seconds between polls where the response does not say, or says what is none (RFC 8628 §3.2).
  package static let standardInterval: Int64 = 5
  /// The most seconds between polls that the response may ask for: a person waits for it.
  package static let longestInterval: Int64 = 60

  /// `device_code`. Whoever has it gets the tokens.
  package let deviceCode: SecretBox
  /// `user_code`, which the person types: printable ASCII.
  package let userCode: String
  /// `verification_uri`, where they type it.
  package let verificationURI: WebURL
  /// `verification_uri_complete`, with the user code in it; nil when absent or no address.
  package let completeURI: WebURL?
  /// `interval`, or what stands for it.
  package let interval: Duration
  /// When `expires_in` is over.
  package let expiry: BootInstant

  /// Reads a successful answer. Throws ``DeviceAuthorizationError``, which names members and never their values.
  package init(_ answer: HTTPAnswer) throws(DeviceAuthorizationError) {
    let object: JSONObject
    do throws(JSONError) {
      guard !answer.isTruncated else { throw JSONError(.tooLarge, at: HTTPAnswer.maximumBody) }
      object = try JSONReader.parseObject(answer.body, secretMembers: ["device_code"])
    } catch {
      throw .malformed(error)
    }
    deviceCode = try Self.deviceCode(object)
    userCode = try Self.userCode(object)
    guard let uri = Self.url("verification_uri", object) else { throw .unusable("verification_uri") }
    verificationURI = uri
    completeURI = Self.url("verification_uri_complete", object)
    guard let life = Self.seconds("expires_in", object), life > 0 else { throw .unusable("expires_in") }
    expiry = answer.receivedAt + .seconds(min(life, Self.longestLife))
    let asked = Self.seconds("interval", object).flatMap { $0 > 0 ? $0 : nil } ?? Self.standardInterval
    interval = .seconds(min(asked, Self.longestInterval))
  }

  /// The address for a browser, with the user code in it if there is one like that. Only `https`, or a page of this
  /// machine: any other is shown to the person and leads nowhere by itself.
  package var browserURL: WebURL? { [completeURI, verificationURI].compactMap { $0 }.first(where: \.isFitToOpen) }

  private static func deviceCode(_ object: JSONObject) throws(DeviceAuthorizationError) -> SecretBox {
    guard case .secret(let code)? = object["device_code"], (1...maximumDeviceCode).contains(code.count),
      unsafe code.withUnsafeBytes({ unsafe $0.allSatisfy { (0x20..<0x7f).contains($0) } })
    else { throw .unusable("device_code") }
    return code
  }

  /// Printable ASCII only: nothing that moves the cursor, turns the reading direction, or looks like something else.
  private static func userCode(_ object: JSONObject) throws(DeviceAuthorizationError) -> String {
    guard case .string(let code)? = object["user_code"], (1...maximumUserCode).contains(code.utf8.count),
      code.utf8.allSatisfy({ (0x20..<0x7f).contains($0) })
    else { throw .unusable("user_code") }
    return code
  }

  private static func url(_ name: String, _ object: JSONObject) -> WebURL? {
    guard case .string(let text)? = object[name] else { return nil }
    do throws(WebURLError) { return try WebURL(text) } catch { return nil }
  }

  /// Whole seconds, whether they came as a number or, as some issuers send them, as text. Any number, however absurd.
  private static func seconds(_ name: String, _ object: JSONObject) -> Int64? {
    switch object[name] {
    case .integer(let seconds)?: seconds
    case .number(let seconds)?: Int64(min(max(seconds, -1), Double(longestLife)))
    case .string(let text)?: Int64(text)
    case .null?, .bool?, .secret?, .array?, .object?, nil: nil
    }
  }
}

extension WebURL {
  fileprivate var isFitToOpen: Bool { scheme == .https || isLoopback }
}

/// Why a device authorization response was refused.
package enum DeviceAuthorizationError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// The member is missing, or is nothing that a person or we could use.
  case unusable(String)
}

extension DeviceAuthorizationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "the issuer's device authorization response is malformed: \(error)"
    case .unusable(let name): "the \(name) of the issuer's device authorization response cannot be used"
    }
  }
}

/// What one poll of the token endpoint brought (RFC 8628 §3.5).
package enum DevicePollAnswer: Equatable, Sendable {
  /// There are tokens in it.
  case granted
  /// `authorization_pending`
  case pending
  /// `slow_down`
  case slowDown
  /// `access_denied`
  case denied
  /// `expired_token`
  case expired
  /// The device code is dead without a word why.
  case dead(String)
  /// The issuer refuses what we are configured to be or to ask.
  case misconfigured(String)
  /// Nothing was learned: busy, broken, not understood.
  case nothing(String)

  /// Reads an answer of any status: some issuers send the errors with 200. `isProven` says whether the poll had a proof of
  /// possession (RFC 9449).
  package init(_ answer: HTTPAnswer, isProven: Bool) {
    if let told = Self.told(answer) {
      self = told
      return
    }
    switch TokenEndpointAnswer(answer) {
    case .granted: self = .granted
    case .dead(let why): self = .dead(why)
    case .misconfigured(let why): self = .misconfigured(why)
    case .challenged where !isProven: self = .misconfigured(TokenEndpointAnswer.wantsProof)
    // The next poll has the nonce.
    case .challenged(_, hasNonce: true): self = .pending
    case .challenged(let why, hasNonce: false), .declined(let why), .unknown(let why): self = .nothing(why)
    }
  }

  /// The grant's own errors, beside which there are no tokens.
  private static func told(_ answer: HTTPAnswer) -> Self? {
    guard !answer.isTruncated, case .object(let response) = TokenResponseReading(answer.body),
      response.accessToken == nil, response.refreshToken == nil
    else { return nil }
    switch response.error {
    case .authorizationPending: return .pending
    case .slowDown: return .slowDown
    case .accessDenied: return .denied
    case .expiredToken: return .expired
    // "If the client receives an error response with any other error code, it MUST stop polling" (§3.5). Known ones are
    // told apart below, and who is only busy has not answered.
    case .other:
      return answer.status < 500 && answer.status != 429 ? .dead("it says something that is not known") : nil
    case .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient, .unsupportedGrantType, .invalidScope,
      .unknownField, .temporarilyUnavailable, .badVerificationCode, .badRefreshToken, .incorrectClientCredentials,
      .useDPoPNonce, .invalidDPoPProof, nil:
      return nil
    }
  }
}

/// When to poll, and when to stop (RFC 8628 §3.5). The clock comes in.
package struct DevicePolling: Sendable {
  /// What `slow_down` adds for good.
  package static let slowDown = Duration.seconds(5)
  /// The longest pause that polls without an answer lead to, unless the interval itself is longer.
  package static let longestPause = Duration.seconds(60)

  private let expiry: BootInstant
  private var interval: Duration
  private var due: BootInstant
  /// Polls in a row that brought nothing.
  private var failures = 0

  package init(_ authorization: DeviceAuthorization, at now: BootInstant) {
    expiry = authorization.expiry
    interval = authorization.interval
    due = now + interval
  }

  package enum TimeAction: Equatable, Sendable {
    case wait(until: BootInstant)
    case poll
    /// The codes ran out.
    case expire
  }

  /// It is `now`.
  package func reached(_ now: BootInstant) -> TimeAction {
    if now >= expiry { return .expire }
    return now >= due ? .poll : .wait(until: min(due, expiry))
  }

  package enum AnswerAction: Equatable, Sendable {
    case goOn
    case redeem
    case end(End)
  }

  /// How it ended without tokens.
  package enum End: Equatable, Sendable {
    case denied
    case expired
    case dead(String)
    case misconfigured(String)
  }

  /// A poll was answered. `retryAfter` is the issuer's wish in seconds, any number.
  package mutating func answered(_ answer: DevicePollAnswer, retryAfter: Int64?, at now: BootInstant) -> AnswerAction {
    switch answer {
    case .granted: return .redeem
    case .pending: failures = 0
    case .slowDown:
      failures = 0
      interval += Self.slowDown
    case .denied: return .end(.denied)
    case .expired: return .end(.expired)
    case .dead(let why): return .end(.dead(why))
    case .misconfigured(let why): return .end(.misconfigured(why))
    case .nothing: failures += 1
    }
    pause(from: now, atLeast: .seconds(max(0, min(retryAfter ?? 0, DeviceAuthorization.longestLife))))
    return .goOn
  }

  /// A poll brought no answer: it polls less often until one comes, as RFC 8628 §3.5 demands, by doubling the pause.
  package mutating func failed(at now: BootInstant) {
    failures += 1
    pause(from: now, atLeast: .zero)
  }

  private mutating func pause(from now: BootInstant, atLeast least: Duration) {
    let doubled = min(interval * (1 << min(failures, 10)), max(interval, Self.longestPause))
    due = now + max(doubled, least)
  }
}
