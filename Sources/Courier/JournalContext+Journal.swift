import Journal
import Time
import Vault

extension JournalIdentity {
  init(_ context: JournalContext) {
    self.init(user: context.user, machine: context.machine, account: context.account.text, issuer: context.issuer)
  }
}

extension JournalReading {
  init(_ contents: JournalContents, isFlying: Bool) {
    self.init(
      intent: contents.intent.map(JournalReading.Intent.init) ?? .unreadable, isFlying: isFlying,
      departed: contents.isDeparted, pad: contents.pad, isNarrowed: contents.intent?.landing?.isNarrowed ?? false,
      forged: contents.forged)
  }
}

extension JournalReading.Intent {
  init(_ intent: Journal.Intent) {
    switch (intent.state, intent.landing) {
    case (.sending(let at, let wall, let sends, let earlier), let landing?):
      self = .sending(
        SendingIntent(
          generation: intent.number.generation, flight: intent.number.flight, flightKey: landing.key,
          tokenHash: intent.tokenHash, boot: at.boot, sentAt: at.instant, sentWall: wall, sends: sends,
          earlier: earlier.map { UnknownSends(first: $0.first, last: $0.last) }, isNarrowed: landing.isNarrowed))
    case (.idle, _):
      self = .idle(
        IdleIntent(generation: intent.number.generation, flight: intent.number.flight, tokenHash: intent.tokenHash))
    // We write no such thing; what is sealed under our key and says so is a later version's.
    case (.sending, nil): self = .unreadable
    }
  }
}
