package import Secrets

/// An authorization response (RFC 6749 §4.1.2) as it came back through the browser, taken apart and not yet believed.
///
/// Whether it belongs to an attempt is decided by who holds the attempt: ``answers(_:)`` and ``checkIssuer(_:promised:)``.
package struct AuthorizationResponse: Sendable {
  package enum Outcome: Sendable {
    /// `code`.
    case code(SecretBox)
    /// `error` (§4.1.2.1).
    case error(AuthorizationErrorCode)
  }

  /// The most bytes of a query that is looked at.
  package static let maximumQuery = 8 << 10
  /// The most parameters in one.
  package static let maximumParameters = 32
  /// The most characters of a code; an issuer may have a lower limit.
  package static let maximumCode = 2048
  /// The most characters of `state` and `iss`.
  package static let maximumValue = 2048

  package let outcome: Outcome
  /// `state`.
  package let state: SecretBox
  /// `iss` (RFC 9207 §2).
  package let issuer: String?

  /// Reads the raw query of a callback: what followed the question mark.
  ///
  /// Throws ``AuthorizationResponseError``, which repeats nothing of it. Parameters that are not known are ignored; one
  /// without a value counts as absent (RFC 6749 §3.1).
  package init(query: SecretBox, maximumCode: Int = maximumCode) throws(AuthorizationResponseError) {
    guard query.count <= Self.maximumQuery else { throw .tooLong }
    let found = try AuthorizationResponseScan(query)
    guard let state = found[.state] else { throw .noState }
    guard state.count <= Self.maximumValue else { throw .tooLong }
    switch (found[.code], found[.error]) {
    case (nil, nil): throw .noCode
    case (_?, _?): throw .codeAndError
    case (let code?, nil):
      guard code.count <= maximumCode else { throw .codeTooLong }
      outcome = .code(code)
    case (nil, let error?):
      outcome = .error(AuthorizationErrorCode(error))
    }
    self.state = state
    issuer = found[.iss].map { box in unsafe box.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
  }

  /// Whether `state` is the attempt's, in time that does not depend on where they differ.
  package func answers(_ state: SecretBox) -> Bool { self.state.isEqual(to: state) }

  /// Checks `iss` (RFC 9207 §2.4): equal to the issuer when there, and there when the issuer promised it.
  package func checkIssuer(_ expected: String, promised: Bool) throws(AuthorizationResponseError) {
    guard let issuer else {
      if promised { throw .noIssuer }
      return
    }
    guard issuer == expected else { throw .otherIssuer }
  }
}
