import Wire

/// `almoner logout`: ends the session at the issuer and wipes the account from this machine.
struct LogoutCommand: Command {
  private static let all = Option(flag: "--all", "every account")

  static let syntax = CommandSyntax(
    "logout", "End the session and wipe the account from this machine", operand: AccountOperand.name,
    options: [all.declaration])

  private let parameters: Wire.SignOut.Parameters

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let account = try AccountOperand.read(arguments)
    let all = arguments.has(Self.all)
    guard account == nil || !all else { throw UsageError("ACCOUNT and --all cannot go together") }
    parameters = Wire.SignOut.Parameters(account: account, all: all)
  }

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    var accounts = try signOut(context, parameters)
    for (index, account) in accounts.enumerated() where account.isLocked {
      accounts[index] = try finish(account, context)
    }
    try report(accounts, context)
    if accounts.contains(where: \.isLocked) { return .locked }
    return accounts.allSatisfy(\.wiped) ? .ok : .failure
  }

  private func signOut(
    _ context: CommandContext, _ parameters: Wire.SignOut.Parameters
  ) throws(Failure) -> [Wire.SignedOut] {
    var daemon = try context.daemon.open()
    return try daemon.call(Wire.SignOut.self, parameters, within: 120).accounts
  }

  /// The account is gone for every caller, but its store is locked: asks to unlock it, and looks again.
  private func finish(_ account: Wire.SignedOut, _ context: CommandContext) throws(Failure) -> Wire.SignedOut {
    let name = PlainText.line(account.account)
    guard context.console.canAsk,
      context.console.confirms("\(name): its store is locked. Unlock it to wipe what is left?", otherwise: true)
    else { return account }
    do throws(Failure) {
      try Unlocking(context, account: account.account).run()
      let again = try signOut(context, Wire.SignOut.Parameters(account: account.account))
      return Wire.SignedOut(
        account: account.account, issuer: account.issuer, revoked: account.revoked,
        wiped: again.allSatisfy(\.wiped), locked: again.contains(where: \.isLocked) ? true : nil, note: account.note)
    } catch {
      // Unlocking finishes a sign-out by itself; then there is no such account any more.
      guard error.code == "unknown-account" else {
        if error.status == .locked || error.status == .denied { return account }
        throw error
      }
      return Wire.SignedOut(
        account: account.account, issuer: account.issuer, revoked: account.revoked, wiped: true, note: account.note)
    }
  }

  private func report(_ accounts: [Wire.SignedOut], _ context: CommandContext) throws(Failure) {
    guard !context.wantsJSON else { return try context.answer(Wire.SignOut.Reply(accounts: accounts)) }
    if accounts.isEmpty { context.console.note("No accounts.") }
    for account in accounts { try context.console.answer(Self.line(account)) }
    if accounts.contains(where: \.revoked) {
      context.console.note("Your browser may still be signed in at the issuer.")
    }
    for account in accounts {
      guard let note = account.note else { continue }
      context.console.note("almoner: \(PlainText.line(account.account)): \(PlainText.line(note))")
    }
    for account in accounts where !account.wiped { context.console.note(Self.rest(account)) }
  }

  private static func rest(_ account: Wire.SignedOut) -> String {
    let name = PlainText.line(account.account)
    return account.isLocked
      ? "almoner: \(name): what is left is wiped at the next unlock\n  Try: almoner unlock \(name)"
      : "almoner: \(name): what is left is tried again, at the latest when the daemon starts next\n  Try: almoner doctor"
  }

  private static func line(_ account: Wire.SignedOut) -> String {
    let session = account.revoked ? "session ended" : "session NOT ended at the issuer"
    let wipe = account.wiped ? "wiped" : "NOT wiped yet"
    return "\(PlainText.line(account.account)): signed out, \(session), \(wipe)\n"
  }
}

extension Wire.SignedOut {
  /// Whether something is left until its store is unlocked.
  fileprivate var isLocked: Bool { !wiped && locked == true }
}
