package import Systemd

/// What the desktop may know: which accounts there are and how each is. No token, no `sub`, no claim.
package struct DesktopStatus: Equatable, Sendable {
  package struct Account: Equatable, Sendable {
    package let name: String
    /// A word such as `signed-in`, `sign-in-required`, `locked`.
    package let state: String

    package init(name: String, state: String) {
      self.name = name
      self.state = state
    }
  }

  package let accounts: [Account]
  /// Whether the daemon was locked by `almoner lock`.
  package let isLocked: Bool

  package init(accounts: [Account], isLocked: Bool) {
    self.accounts = accounts
    self.isLocked = isLocked
  }

  /// The reply to `Status`: `a{sv}` with `accounts` (a(ss): name, state), `count` (u) and `locked` (b).
  package var reply: BusValue {
    let pairs = accounts.map { BusValue.structure([.string($0.name), .string($0.state)]) }
    return .properties([
      .init("accounts", .array(of: "(ss)", pairs)), .init("count", .unsigned(UInt32(clamping: accounts.count))),
      .init("locked", .boolean(isLocked)),
    ])
  }
}
