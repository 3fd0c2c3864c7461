package import Exchange
package import Secrets

/// An issuer that gives out a credential for what an app tells of its device, beside the tokens of OAuth.
///
/// Didit's `monitoring-token/`. An ``Issuer`` that has one conforms to this as well.
package protocol MonitoringResource: Sendable {
  func monitoringTokenRequest(accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest
  func readMonitoringToken(_ answer: HTTPAnswer) -> MonitoringAnswer
}

/// What became of the question for a device credential.
package enum MonitoringAnswer: Sendable {
  /// The credential, and how long it lives from now on.
  case granted(SecretBox, lifetime: Duration)
  /// The vendor has not enabled it for this application.
  case notEnabled
  /// The access token was refused.
  case unauthorized
  /// Turned away for now; `retryAfter` in seconds, as sent.
  case later(String, retryAfter: Int64?)
  case refused(String)
  case misconfigured(String)
}
