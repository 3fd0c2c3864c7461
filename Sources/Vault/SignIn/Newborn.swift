import Secrets
import Time

/// A person's first tokens: durable in the journal, not checked and not stored yet.
struct Newborn: Sendable {
  let account: Account
  let issuer: any Issuer
  let journalKey: SecretBox
  let nonce: SecretBox?
  let dpopKey: SecretBox?
  let renews: AccountID?
  let tokens: TokenSet
  let flight: UInt64
  /// Whether somebody waits for the sign-in; nobody does when its daemon died.
  let isAwaited: Bool

  /// How long ago the tokens came. After a reboot only the wall clock knows; one that ran backwards makes them old.
  func age(_ clock: any Clock) -> Duration {
    if tokens.receivedBoot == clock.bootID { return clock.now - tokens.receivedAt }
    let seconds = clock.wall.seconds.subtractingReportingOverflow(tokens.receivedWall.seconds).partialValue
    return .seconds(seconds < 0 ? .max : seconds)
  }
}
