import OAuth

/// What a person is about to do, for which a vendor may ask them to prove more. Checked before anything is sent.
package struct StepUpWish: Equatable, Sendable {
  package enum Action: String, CaseIterable, Sendable {
    /// Money leaves: a withdrawal or transfer.
    case payout
    /// A bank account is added or changed.
    case bank
    /// An e-mail address or a telephone number is changed.
    case contact
  }

  package let action: Action
  /// `^[0-9]{1,16}(\.[0-9]{1,2})?$`, kept as text: money is never a binary fraction.
  package let amount: String?
  /// Three capital letters (ISO 4217).
  package let currency: String?
  /// Where the browser ends, exactly as registered. What it brings back there is a hint, and nobody of ours reads it.
  package let returnTo: String?

  /// Throws ``VaultError/badRequest(field:message:)``, which names the field and never repeats its value.
  package init(action: String, amount: String?, currency: String?, returnTo: String?) throws(VaultError) {
    guard let known = Action(rawValue: action) else {
      throw .badRequest(
        field: "action", message: "it must be \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.action = known
    self.amount = try Self.checked(amount: amount, for: known)
    self.currency = try Self.checked(currency: currency, hasAmount: amount != nil)
    self.returnTo = try returnTo.map(Self.checked(returnTo:))
  }

  private static func checked(amount: String?, for action: Action) throws(VaultError) -> String? {
    guard let amount else {
      guard action != .payout else { throw .badRequest(field: "amount", message: "a payout needs one") }
      return nil
    }
    guard action == .payout else { throw .badRequest(field: "amount", message: "only a payout has one") }
    let parts = amount.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, isDigits(parts[0], 1...16), parts.count == 1 || isDigits(parts[1], 1...2) else {
      throw .badRequest(
        field: "amount", message: "it must be 1 to 16 digits, with a point and 1 or 2 more where needed, as in 12.50")
    }
    return amount
  }

  private static func checked(currency: String?, hasAmount: Bool) throws(VaultError) -> String? {
    guard let currency else { return nil }
    guard hasAmount else { throw .badRequest(field: "currency", message: "it goes with an amount only") }
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { throw .badRequest(field: "currency", message: "it must be three capital letters of ISO 4217, as in EUR") }
    return currency
  }

  private static func checked(returnTo: String) throws(VaultError) -> String {
    do throws(RedirectURIError) {
      return try RedirectURI(returnTo).text
    } catch {
      throw .badRequest(field: "returnTo", message: "\(error)")
    }
  }

  private static func isDigits(_ text: Substring, _ count: ClosedRange<Int>) -> Bool {
    count.contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
