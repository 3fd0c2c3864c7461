/// What an exchange needs besides its request.
package struct ExchangeEnvironment {
  package var limits: ExchangeLimits
  let sockets: SocketLookup
  /// The user whose listener alone may be spoken to in plain text.
  let user: UInt32
  let receipt: () -> Receipt

  /// `receipt` is asked once, when the answer is complete.
  package init(
    limits: ExchangeLimits = ExchangeLimits(), sockets: SocketLookup, user: UInt32,
    receipt: @escaping () -> Receipt
  ) {
    self.limits = limits
    self.sockets = sockets
    self.user = user
    self.receipt = receipt
  }
}
