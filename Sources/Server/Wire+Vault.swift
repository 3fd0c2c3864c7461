import Vault
import Wire

extension Wire.Account {
  init(_ summary: AccountSummary) {
    let account = summary.account
    self.init(
      id: account.id.text, name: account.name, issuer: account.issuer.identifier, kind: account.issuer.kind,
      environment: account.issuer.environment.rawValue, store: account.backend.rawValue,
      state: Wire.AccountState(rawValue: summary.state.rawValue), detail: summary.detail,
      expiresIn: summary.expiresIn.map(Int64.init), generation: summary.generation.map(Int64.init(clamping:)),
      renews: summary.renews)
  }
}

extension Wire.Claim {
  init(_ claim: VerifiedIdentity.Claim) { self.init(name: claim.name, value: claim.value) }
}

extension Wire.Stray {
  init(_ stray: StrayRecord) {
    self.init(store: stray.backend.rawValue, account: stray.record.account, label: stray.record.label)
  }
}

extension Wire.SignedOut {
  init(_ report: SignOutReport) {
    self.init(
      account: report.account, issuer: report.issuer, revoked: report.isRevoked, wiped: report.isWiped,
      locked: report.left == .locked ? true : nil, note: report.note)
  }
}
