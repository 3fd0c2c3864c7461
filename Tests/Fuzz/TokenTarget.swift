import Exchange
import JSON
import OAuth
import Secrets
import Time

extension FuzzTarget {
  /// A token reply is scanned leniently, so that no token is lost, and means what a strict reader says it means.
  static let token = FuzzTarget(name: "token") { bytes in
    let body = SecretBox(fuzzed: bytes)
    let reading = TokenResponseReading(body)
    checkMeaning(body, reading)
    guard let object = strictObject(body) else { return }
    guard case .object(let response) = reading else { return require(false, "what a strict reader takes is an object") }
    compare(object, response)
    checkTruncation(bytes)
  }

  /// No answer but a clear one decides over a token.
  private static func checkMeaning(_ body: SecretBox, _ reading: TokenResponseReading) {
    for (status, nonce) in [200, 201, 302, 400, 401, 404, 429, 503].flatMap({ [($0, nil), ($0, "nonce")] }) {
      switch (TokenEndpointAnswer(answer(status, body, nonce: nonce, isTruncated: false)), reading) {
      case (.granted(let response), .object(let read)):
        require((200..<300).contains(status), "only success grants")
        require(response.refreshToken?.revealed == read.refreshToken?.revealed, "a refresh token that is there is kept")
      case (.granted, _): require(false, "only an object grants")
      case (.dead, .object(let read)):
        let isGitHub = read.error == .badRefreshToken || read.error == .badVerificationCode
        require(
          [400, 401].contains(status) && (read.error == .invalidGrant || isGitHub) || status < 300 && isGitHub,
          "only invalid_grant ends a session, and GitHub's words for it")
        require(read.accessToken == nil && read.refreshToken == nil, "who hands out tokens has not ended it")
      case (.dead, _): require(status == 400 && body.count == 0, "only an empty 400 ends a session without a word")
      case (.misconfigured, .object(let read)) where read.error == .incorrectClientCredentials: break
      case (.misconfigured, _): require(status != 200, "success is no fault of the configuration")
      case (.challenged(_, let hasNonce), .object(let read)):
        require(
          [400, 401].contains(status) && (read.error == .useDPoPNonce || read.error == .invalidDPoPProof),
          "only who refuses a proof has not looked at the token")
        require(read.accessToken == nil && read.refreshToken == nil, "who hands out tokens took the proof")
        require(hasNonce == (nonce != nil && read.error == .useDPoPNonce), "a nonce is known that was wanted and given")
      case (.challenged, _): require(false, "only an object refuses a proof")
      case (.declined, .object(let read)):
        require([429, 503].contains(status), "only who asks to come back later has not looked at the token")
        require(read.accessToken == nil && read.refreshToken == nil, "who hands out tokens did look")
        require(read.error != .invalidGrant, "so did who says that one is dead")
      case (.declined, _): require([429, 503].contains(status), "only who asks to come back later has not looked")
      case (.unknown, .object(let read)):
        require(
          status != 200 || (read.accessToken == nil && read.refreshToken == nil), "tokens in a success are never lost")
      case (.unknown, _): break
      }
      if case .unknown = TokenEndpointAnswer(answer(status, body, nonce: nonce, isTruncated: true)) { continue }
      require(![200, 201, 400, 401].contains(status), "of what was cut off nothing is known")
    }
  }

  private static func answer(_ status: Int, _ body: SecretBox, nonce: String?, isTruncated: Bool) -> HTTPAnswer {
    HTTPAnswer(
      status: status, date: nil, retryAfter: status == 503 ? 7 : nil, dpopNonce: nonce, contentType: "application/json",
      body: body, isTruncated: isTruncated, receivedAt: BootInstant(nanoseconds: 0),
      receivedBoot: BootID(high: 0, low: 0), receivedWall: WallInstant(seconds: 0))
  }

  /// What the strict reader makes of it; nil when it refuses.
  private static func strictObject(_ body: SecretBox) -> JSONObject? {
    let limits = JSONLimits(
      bytes: HTTPAnswer.maximumBody, depth: 64, stringBytes: HTTPAnswer.maximumBody, members: 256, elements: 1024)
    do throws(JSONError) { return try JSONReader.parseObject(body, limits: limits) } catch { return nil }
  }

  private static func compare(_ object: JSONObject, _ response: TokenResponse) {
    let isVisible = { (byte: UInt8) in byte > 0x20 && byte < 0x7f }
    let isPrintable = { (byte: UInt8) in byte >= 0x20 && byte < 0x7f }
    func token(_ name: String, _ isAllowed: (UInt8) -> Bool) -> [UInt8]? {
      guard case .string(let text)? = object[name] else { return nil }
      let bytes = Array(text.utf8)
      return (1...TokenResponse.maximumToken).contains(bytes.count) && bytes.allSatisfy(isAllowed) ? bytes : nil
    }
    require(response.refreshToken?.revealed == token("refresh_token") { _ in true }, "the refresh token is the same")
    require(response.accessToken?.revealed == token("access_token", isVisible), "the access token is the same")
    require(response.idToken?.revealed == token("id_token", isVisible), "the ID token is the same")
    if let scope = token("scope", isPrintable), scope.count <= 4096 {
      require(response.scope.map { Array($0.utf8) } == scope, "the scope is the same")
    }
    if let error = token("error", isPrintable) {
      let known = TokenErrorCode(rawValue: String(decoding: error, as: UTF8.self)) ?? .other
      require(response.error == known, "the error is the same")
    }
    if case .integer(let seconds)? = object["expires_in"] {
      require(response.expiresIn == min(max(seconds, 0), TokenResponse.maximumLifetime), "the lifetime is the same")
    }
  }

  /// An answer that breaks off anywhere inside its object is never taken for a whole one.
  private static func checkTruncation(_ bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return }
    for count in Set([end, end / 2, end / 3, end * 3 / 4]) {
      if case .object = TokenResponseReading(SecretBox(fuzzed: Array(bytes[..<count]))) {
        require(false, "what breaks off is no object")
      }
    }
  }
}
