import Wire

/// Accounts as a person reads them.
enum AccountText {
  /// One line an account: name, state, issuer, and how long the present access token lives on.
  static func table(_ accounts: [Wire.Account]) -> String {
    Columns.aligned(accounts.map { [PlainText.line($0.name), state($0), PlainText.line($0.issuer), life($0)] })
  }

  /// What else there is to say of an account, on lines of their own.
  static func details(_ account: Wire.Account) -> [String] {
    let store =
      "\(PlainText.line(account.kind)), \(PlainText.line(account.environment))"
      + ", kept in \(PlainText.line(account.store))"
    let renewal = account.renews ? [] : ["The issuer granted no refresh token: this sign-in will not be renewed."]
    let detail = trouble(account).map { "Trouble: \($0)" } ?? account.detail
    return [store] + renewal + (detail.map { [PlainText.line($0)] } ?? [])
  }

  /// What went wrong last with an account whose token is good all the same. That it is never renewed went as it should.
  static func trouble(_ account: Wire.Account) -> String? {
    account.state == .signedIn && account.renews ? account.detail : nil
  }

  static func state(_ account: Wire.Account) -> String {
    switch account.state {
    case .signedIn: "signed in"
    case .refreshing: "refreshing"
    case .signInRequired: "sign-in needed"
    case .locked: "locked"
    case .unavailable: "store unavailable"
    case .signingOut: "signing out"
    case .damaged: "damaged"
    case let other: PlainText.line(other.rawValue)
    }
  }

  private static func life(_ account: Wire.Account) -> String {
    account.expiresIn.map { "expires in \(DurationText.words(Int($0)))" } ?? ""
  }
}
