extension JSONWebKey {
  /// The most bytes of a signature that is looked at: DER adds at most 8 to twice 32.
  package static let maximumAssertion = 72

  /// Whether `signature`, in DER, is this key's over `message` with ES256: the form of a passkey (WebAuthn §6.5.5).
  package func verifies(assertion signature: [UInt8], over message: [UInt8]) -> Bool {
    guard algorithm == .es256, signature.count <= Self.maximumAssertion else { return false }
    return unsafe message.withUnsafeBytes { unsafe handle.verifies(signature, by: .es256, over: $0) }
  }
}
