import OAuth

/// What a key's value must be: how it is read, and the words that say so when it is not.
struct ValueRule<Value>: Sendable {
  /// Completes "must be …". Never made from the value.
  let expectation: String
  /// Nil when the value is refused.
  let read: @Sendable (String) -> Value?
  /// Better words for some of the refused values.
  var known: [String: String] = [:]

  /// Completes "must be …" for a value that was refused.
  func expectation(for refused: String) -> String { known[refused] ?? expectation }
}

extension ValueRule where Value == Duration {
  static let duration = Self(expectation: "a duration such as 90s, 5m, 2h, 1d or 0s", read: DurationText.read)
}

extension ValueRule where Value == IssuerAddress {
  static let issuer = Self(
    expectation: "an https URL in lower case without user, query or fragment; plain http only for this machine",
    read: IssuerAddress.init(issuer:))
  static let origin = Self(
    expectation:
      "an https origin, such as https://example.auth.didit.me, without a path; plain http only for this machine",
    read: IssuerAddress.init(origin:))
  static let publishableKey = Self(
    expectation: "a publishable key: pk_live_ or pk_test_ and an origin of that environment",
    read: IssuerAddress.init(publishableKey:))
}

extension ValueRule where Value == String {
  static let redirectURI = Self(
    expectation: "an https URL, or http on localhost, 127.0.0.1 or [::1], without user, fragment or wildcard",
    read: { text in accepted { () throws(RedirectURIError) in try RedirectURI(text).text } })
  static let page = Self(
    expectation: "an https URL without user or fragment",
    read: { EndpointPolicy(plainLoopback: false).endpoint($0)?.text })
  static let clientID = Self(
    expectation: "1 to 256 printable ASCII characters without spaces",
    read: { (1...256).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil })
  static let absolutePath = Self(
    expectation: "an absolute path",
    read: { text in
      text.hasPrefix("/") && text.utf8.count < 4096 && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? text : nil
    })
  static let proxy = Self(
    expectation: "http://HOST:PORT or https://HOST:PORT, without user or password",
    read: { text in
      accepted { () throws(WebURLError) in try WebURL(text) }.flatMap { url in
        url.path.isEmpty && url.query == nil && url.port != nil ? text : nil
      }
    })
  static let accountName = Self(
    expectation: "1 to \(AccountName.maximumLength) letters, digits, dots, underscores and hyphens",
    read: { AccountName.isValid($0) ? $0 : nil })
}

extension ValueRule where Value == [String] {
  static let scopes = Self(expectation: "scopes separated by single spaces (RFC 6749 §3.3)", read: ScopeList.read)
}

extension ValueRule where Value == Bool {
  static let flag = Self(expectation: "true or false", read: { ["true": true, "false": false][$0] })
}

extension ValueRule where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// One of the cases of an enumeration, by its raw value.
  static var choice: Self {
    Self(expectation: Value.allCases.map(\.rawValue).joined(separator: " or "), read: Value.init(rawValue:))
  }
}

/// The result, or nil when it was refused: the rule's own words say more to a person than the reason does.
private func accepted<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value? {
  do throws(Failure) { return try body() } catch { return nil }
}
