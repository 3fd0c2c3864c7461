package import Secrets

/// What anybody sees of an item: the label, and the attributes by which it is found.
package struct KeyringEntry: Equatable, Sendable {
  package let label: String
  package let attributes: [String: String]
}

/// What is to be kept: a secret, the attributes by which it is found, and the label a person sees.
package struct KeyringItem: Sendable {
  package let label: String
  package let attributes: [String: String]
  package let secret: SecretBox

  package init(label: String, attributes: [String: String], secret: SecretBox) {
    self.label = label
    self.attributes = attributes
    self.secret = secret
  }
}
