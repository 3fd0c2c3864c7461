import Secrets

/// A secret made from text, for tests.
func secret(_ text: String) throws -> SecretBytes { unsafe try SecretBytes(copying: Array(text.utf8).span.bytes) }

/// A secret made from bytes, for tests.
func secret(_ bytes: [UInt8]) throws -> SecretBytes { unsafe try SecretBytes(copying: bytes.span.bytes) }

/// The bytes of a secret, for tests.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] { unsafe secret.withUnsafeBytes { unsafe Array($0) } }
