import OAuth
import Secrets
import Vault

/// One attempt at signing in, from the browser's opening to its end. Decides, never does.
///
/// The verifier is in the draft, in memory only; the code is taken once, before the token request.
struct Attempt {
  enum Phase {
    /// Nobody has come back yet.
    case waiting
    /// The code is being redeemed.
    case redeeming
    case over
  }

  enum ResponseAction {
    /// Redeem this code; nothing else is taken from here on.
    case redeem(SecretBox)
    /// The person or the issuer said no.
    case end(SignInFailure, String)
    /// It does not belong here: nothing changes.
    case reject(String)
    /// It says that it is another issuer's, and this is the name it gives. Nothing changes.
    case mixUp(String)
    /// Too late: the attempt took its code before, or is over.
    case tooLate
  }

  let draft: SignInDraft
  /// Whether the issuer promises `iss` in its responses (RFC 9207 §3).
  let promisesIssuer: Bool
  private(set) var phase = Phase.waiting

  init(draft: SignInDraft, promisesIssuer: Bool) {
    self.draft = draft
    self.promisesIssuer = promisesIssuer
  }

  /// A response came back. State first: what fails there changes nothing, whatever else it says.
  mutating func responded(_ response: AuthorizationResponse) -> ResponseAction {
    switch phase {
    case .redeeming, .over: return .tooLate
    case .waiting: break
    }
    guard response.answers(draft.attempt.state) else { return .reject("the response belongs to another sign-in") }
    do {
      try response.checkIssuer(draft.account.issuer.identifier, promised: promisesIssuer)
    } catch {
      if case .otherIssuer = error, let name = response.issuer { return .mixUp(name) }
      return .reject("\(error)")
    }
    switch response.outcome {
    case .code(let code):
      phase = .redeeming
      return .redeem(code)
    case .error(let error):
      phase = .over
      return error.isDenial
        ? .end(.cancelled, "cancelled at the issuer") : .end(.refused, "the issuer answered \(error.rawValue)")
    }
  }

  mutating func end() { phase = .over }
}
