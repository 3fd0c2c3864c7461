/// Which item is meant, and what it must be to be taken for ours.
package struct KeyringQuery: Sendable {
  /// By these it is found, whatever else it carries.
  package let key: [String: String]
  /// These it must carry as well; services may add others. What is found and lacks one of them is refused.
  package let attributes: [String: String]

  /// `attributes` has to contain `key`.
  package init(key: [String: String], attributes: [String: String]) {
    self.key = key
    self.attributes = attributes
  }
}

/// Whether the keyring could be read now.
package enum KeyringAvailability: Equatable, Sendable {
  case open
  case locked
  /// Nothing that waiting would mend.
  case absent(String)
  case unavailable(String)
}
