/// Whose journal it is. Every sealed block is bound to it.
package struct JournalIdentity: Equatable, Sendable {
  package let user: UInt32
  /// `/etc/machine-id`.
  package let machine: String
  /// The account's id, which is also the file's name: 32 hexadecimal digits.
  package let account: String
  /// The issuer identifier (RFC 8414 §2).
  package let issuer: String

  package init(user: UInt32, machine: String, account: String, issuer: String) {
    self.user = user
    self.machine = machine
    self.account = account
    self.issuer = issuer
  }
}
