import Wire

/// What a resource demands of the sign-in behind a token, with the error `insufficient_user_authentication` in its
/// `WWW-Authenticate` (RFC 9470 §3).
public struct AuthenticationChallenge: Equatable, Sendable {
  /// `acr_values`, split at its spaces: one of them is how the person must have signed in. Empty: any.
  public let acrValues: [String]
  /// `max_age`: how long ago that may have been; nil: however long.
  public let maxAge: Duration?

  /// A challenge by its two parameters.
  public init(acrValues: [String] = [], maxAge: Duration? = nil) {
    self.acrValues = acrValues
    self.maxAge = maxAge
  }

  init(_ acrValues: [String]?, _ maxAge: Int64?) {
    self.init(acrValues: acrValues ?? [], maxAge: maxAge.map { .seconds($0) })
  }
}
