import LocalSocket
import Wire

/// A proof of more before one sensitive action, at an issuer that has a step-up of its own. Letting go of it gives it up.
///
///     var stepUp = try client.stepUp(for: .payout(amount: "12.50", currency: "EUR"))
///     if let page = stepUp.page { … open it in the person's own browser … }
///     try stepUp.approval()
///
/// Opening the page is for you, and what the browser brings back is no answer: only ``approval()`` is.
public struct StepUp: ~Copyable {
  /// What the person is about to do.
  public enum Action: Equatable, Sendable {
    /// Pay money out: 1 to 16 digits, and at most two behind a point; ISO 4217, or nil where the issuer knows it.
    case payout(amount: String, currency: String?)
    /// Change a bank account.
    case bank
    /// Change how the person is reached.
    case contact
  }

  /// The account's name.
  public let account: String
  /// The page to open in the person's own browser; nil when no rule of the issuer's applies and nothing is to be proved.
  public let page: String?
  private var connection: ClientConnection

  init(
    _ connection: consuming ClientConnection, _ parameters: Wire.StepUp.Parameters, by deadline: Deadline
  ) throws(AlmonerClientError) {
    var connection = connection
    try connection.send(Wire.StepUp.self, parameters, mode: .more, by: deadline)
    let first = try connection.receive(Wire.StepUp.self, by: deadline)
    guard first.stage == .notRequired || first.stage == .verify && first.url != nil else {
      throw .unintelligible("a step-up begins with the stage \(first.stage.rawValue)")
    }
    account = first.account
    page = first.stage == .verify ? first.url : nil
    self.connection = connection
  }

  /// Waits until the issuer itself says that it approved; returns at once when nothing was to be proved.
  ///
  /// Throws ``AlmonerClientError/refused(_:)`` with ``Refusal/Reason/stepUpFailed(_:)`` for every other end; the daemon
  /// ends it after 30 minutes. A step-up is good for the action that it was asked for, once.
  public consuming func approval() throws(AlmonerClientError) {
    guard page != nil else { return }
    let last = try connection.receive(Wire.StepUp.self, by: .never)
    guard last.stage == .approved else { throw .unintelligible("a step-up ends with the stage \(last.stage.rawValue)") }
  }
}

extension Wire.StepUp.Parameters {
  init(_ action: StepUp.Action, account: String?, returnTo: String?) {
    switch action {
    case .payout(let amount, let currency):
      self.init(account: account, action: "payout", amount: amount, currency: currency, returnTo: returnTo)
    case .bank: self.init(account: account, action: "bank", returnTo: returnTo)
    case .contact: self.init(account: account, action: "contact", returnTo: returnTo)
    }
  }
}
