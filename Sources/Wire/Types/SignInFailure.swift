/// Why a sign-in ended without an account.
package struct SignInFailure: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The person, or the caller, called it off.
  package static let cancelled = Self(rawValue: "cancelled")
  /// Ten minutes passed.
  package static let timeout = Self(rawValue: "timeout")
  /// Another program listens where the browser would come back to.
  package static let portBusy = Self(rawValue: "port-busy")
  /// Somebody else signed in than the account belongs to.
  package static let wrongPerson = Self(rawValue: "wrong-person")
  /// The issuer refused, or what it sent failed a check.
  package static let refused = Self(rawValue: "refused")
  /// The code of a device authorization grant (RFC 8628) ran out before anybody had entered it.
  package static let expired = Self(rawValue: "expired")

  package static let all = [cancelled, timeout, portBusy, wrongPerson, refused, expired]
}
