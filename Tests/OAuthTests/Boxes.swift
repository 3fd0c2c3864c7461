import Secrets

/// A secret made from text, for tests.
func box(_ text: String) throws -> SecretBox {
  SecretBox(unsafe try SecretBytes(copying: Array(text.utf8).span.bytes))
}

/// A secret as text, for tests.
func text(_ box: SecretBox?) -> String? {
  box.map { box in unsafe box.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}
