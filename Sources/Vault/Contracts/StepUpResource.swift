package import Exchange
package import Secrets

/// An issuer with a step-up of its own beside OAuth: before one sensitive action the person proves more in their browser.
///
/// Didit's `step-up/`. An ``Issuer`` that has one conforms to this as well.
package protocol StepUpResource: Sendable {
  /// Asks whether the action needs proof, and for the page where it is given.
  func stepUpRequest(_ wish: StepUpWish, accessToken: SecretBox) throws(IssuerError) -> OutgoingRequest
  func readStepUp(_ answer: HTTPAnswer) -> StepUpAnswer

  /// Asks how a step-up stands. `id` is one that ``readStepUp(_:)`` let through.
  func stepUpStatusRequest(_ id: String, accessToken: SecretBox) -> OutgoingRequest
  func readStepUpStatus(_ answer: HTTPAnswer) -> StepUpStatus
}

/// What became of the question whether an action needs proof.
package enum StepUpAnswer: Equatable, Sendable {
  /// No rule applies: go on.
  case notRequired
  /// The page to open. Checked: https, or this machine for a sandbox, and no longer than an address may be.
  case required(id: String, url: String)
  /// The access token was refused; nothing was begun.
  case unauthorized
  /// Turned away for now; `retryAfter` in seconds, as sent.
  case later(String, retryAfter: Int64?)
  /// The issuer says no to this request, in words.
  case refused(String)
  /// It cannot work: switched off, or an answer that is of no use.
  case misconfigured(String)
}

/// How a step-up stands at the issuer. Only ``approved`` is ever acted on.
package enum StepUpStatus: Equatable, Sendable {
  case pending
  case approved
  case failed(StepUpFailure)
  case unauthorized
  /// The issuer knows none of this name in this session.
  case gone
  /// It could not be told just now; `retryAfter` in seconds, as sent.
  case later(String, retryAfter: Int64?)
}
