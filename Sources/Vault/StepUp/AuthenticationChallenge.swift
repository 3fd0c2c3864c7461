package import Time

/// What a resource demanded of the sign-in behind an access token (RFC 9470 §3). Pure.
package struct AuthenticationChallenge: Equatable, Sendable {
  /// How far the issuer's clock may be from ours where a fresh sign-in is judged.
  package static let leeway = Duration.seconds(120)
  /// The most bytes of one authentication context class.
  package static let maximumValue = 256

  /// `acr_values`: any of them will do, the preferred first. Empty: any.
  package let acrValues: [String]
  /// `max_age`, in seconds: how long ago the person may have proved who they are. Nil: any time.
  package let maxAge: Int64?

  /// Throws ``VaultError/badRequest(field:message:)`` for a value that could be no member of `acr_values`, which is a list
  /// with spaces between (OpenID Connect Core §3.1.2.1).
  package init(acrValues: [String], maxAge: Int64?) throws(VaultError) {
    for value in acrValues {
      guard (1...Self.maximumValue).contains(value.utf8.count), value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw .badRequest(field: "acrValues", message: "a value has 1 to 256 printable characters and no space")
      }
    }
    if let maxAge, maxAge < 0 { throw .badRequest(field: "maxAge", message: "it is a number of seconds") }
    self.acrValues = acrValues
    self.maxAge = maxAge
  }

  package var isEmpty: Bool { acrValues.isEmpty && maxAge == nil }

  /// Why a sign-in does not suffice, in words; nil when it does. `now` is the wall clock; `leeway` is added to what is
  /// asked.
  package func shortfall(
    of identity: VerifiedIdentity, now: WallInstant, leeway: Duration = .zero
  ) -> String? {
    if !acrValues.isEmpty {
      guard let acr = identity.value(of: "acr") else { return "the issuer does not say how the person signed in (acr)" }
      guard acrValues.contains(acr) else { return "the person signed in another way than is asked (acr)" }
    }
    guard let maxAge else { return nil }
    // Some issuers write 0 for "not known".
    guard let text = identity.value(of: "auth_time"), let time = Int64(text), time > 0 else {
      return "the issuer does not say when the person signed in (auth_time)"
    }
    guard time <= now.seconds + Self.leeway.wholeSeconds else {
      return "the time of the sign-in is still to come (auth_time)"
    }
    let age = now.seconds - time
    return age <= maxAge.addingReportingOverflow(leeway.wholeSeconds).partialValue
      ? nil : "the person signed in too long ago (auth_time)"
  }
}

extension VerifiedIdentity {
  /// The value of a claim, as text.
  func value(of name: String) -> String? { claims.first { $0.name == name }?.value }
}
