package import Secrets
import Time

/// A device credential, as a caller gets it.
package struct MonitoringGrant: Sendable {
  package let account: String
  package let issuer: String
  package let token: SecretBox
  /// Whole seconds of life left, at least 0.
  package let expiresIn: Int
}

/// The device credentials that are in memory, and nowhere else.
struct MonitoringTokens {
  /// Life that a credential which is handed out has left, if the issuer grants that much.
  static let margin = Duration.seconds(60)
  /// What an answer is to one who waits for it.
  typealias Asking = Task<Result<MonitoringGrant, VaultError>, Never>

  struct Held {
    let token: SecretBox
    let lifetime: Duration
    let expiry: BootInstant
  }

  private var held: [AccountID: Held] = [:]
  private var questions: [AccountID: (number: UInt64, task: Asking)] = [:]
  private var lastNumber: UInt64 = 0

  /// The credential that will do, if there is one.
  func fresh(_ account: AccountID, at now: BootInstant) -> Held? {
    guard let held = self.held[account] else { return nil }
    return held.expiry - now >= min(Self.margin, held.lifetime / 3) ? held : nil
  }

  /// The question that is under way.
  func asking(_ account: AccountID) -> Asking? { questions[account]?.task }

  /// A number for a question that is about to be asked.
  mutating func number() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func began(_ account: AccountID, _ number: UInt64, _ task: Asking) { questions[account] = (number, task) }

  /// A question was answered. False when it was forgotten meanwhile: what it brought is nobody's.
  mutating func ended(_ account: AccountID, _ number: UInt64, with credential: Held?) -> Bool {
    guard questions[account]?.number == number else { return false }
    questions[account] = nil
    if let credential { held[account] = credential }
    return true
  }

  /// Forgets what there is, and what is on its way.
  mutating func forget(_ account: AccountID) {
    held[account] = nil
    questions.removeValue(forKey: account)?.task.cancel()
  }

  mutating func forgetAll() { for account in Set(held.keys).union(questions.keys) { forget(account) } }
}
