/// Something that happened, past tense, for `Monitor` and the desktop. Holds nothing secret.
package struct VaultEvent: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case signedIn = "signed-in"
    case refreshed
    case signInRequired = "sign-in-required"
    case signedOut = "signed-out"
    case locked
    case unlocked
    case storageTrouble = "storage-trouble"
    /// A browser came back with what belongs to no sign-in of ours, or to another one.
    case callbackRejected = "callback-rejected"
  }

  package let kind: Kind
  /// The account's name; nil when it concerns all.
  package let account: String?
  package let generation: UInt64?
  package let detail: String?

  package init(_ kind: Kind, account: String?, generation: UInt64? = nil, detail: String? = nil) {
    self.kind = kind
    self.account = account
    self.generation = generation
    self.detail = detail
  }
}
