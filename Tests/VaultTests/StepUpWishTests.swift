import Testing
import Vault

/// What is checked before anything is sent.
@Suite struct StepUpWishTests {
  private func wish(
    _ action: String, _ amount: String? = nil, _ currency: String? = nil, returnTo: String? = nil
  ) throws(VaultError) -> StepUpWish {
    try StepUpWish(action: action, amount: amount, currency: currency, returnTo: returnTo)
  }

  @Test(arguments: ["0", "12.5", "12.50", "9999999999999999.99", "007"])
  func `an amount of the vendor's pattern passes as it is`(amount: String) throws {
    #expect(try wish("payout", amount, "EUR").amount == amount)
  }

  @Test(arguments: [
    "", ".5", "1.", "1.234", "1,5", "-1", "+1", "1e3", " 1", "1 ", "12345678901234567", "1.2.3", "١٢", "0x10", "1\n",
  ])
  func `any other amount is refused by name`(amount: String) {
    let error = #expect(throws: VaultError.self) { try wish("payout", amount, "EUR") }
    #expect(error?.refusedField == "amount")
  }

  @Test(arguments: ["", "EU", "EURO", "eur", "EU1", "€UR", "E R"])
  func `a currency that has not three capitals is refused by name`(currency: String) {
    let error = #expect(throws: VaultError.self) { try wish("payout", "1", currency) }
    #expect(error?.refusedField == "currency")
  }

  @Test func `a payout needs an amount and nothing else has one`() {
    #expect((#expect(throws: VaultError.self) { try wish("payout") })?.refusedField == "amount")
    #expect((#expect(throws: VaultError.self) { try wish("bank", "1") })?.refusedField == "amount")
    #expect((#expect(throws: VaultError.self) { try wish("contact", nil, "EUR") })?.refusedField == "currency")
  }

  @Test(arguments: ["", "Payout", "pay", "payout "])
  func `an action that is not the vendor's is refused`(action: String) {
    #expect((#expect(throws: VaultError.self) { try wish(action, "1") })?.refusedField == "action")
  }

  @Test(arguments: ["http://example.org/cb", "app://cb", "https://user@example.org/", "https://example.org/#x", ""])
  func `a way back that cannot be registered is refused`(uri: String) {
    #expect((#expect(throws: VaultError.self) { try wish("bank", returnTo: uri) })?.refusedField == "returnTo")
  }
}

extension VaultError {
  fileprivate var refusedField: String? { if case .badRequest(let field, _) = self { field } else { nil } }
}
