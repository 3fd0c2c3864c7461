/// What an exchange needs besides its request.
package struct ExchangeEnvironment {
  package var limits: ExchangeLimits
  let tables: SocketTableFiles
  /// The user whose listener alone may be spoken to in plain text.
  let user: UInt32
  let receipt: () -> Receipt

  /// `receipt` is asked once, when the answer is complete.
  package init(
    limits: ExchangeLimits = ExchangeLimits(), tables: SocketTableFiles, user: UInt32,
    receipt: @escaping () -> Receipt
  ) {
    self.limits = limits
    self.tables = tables
    self.user = user
    self.receipt = receipt
  }
}
