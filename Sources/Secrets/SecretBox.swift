/// A secret that several owners share: the copyable handle to one ``SecretBytes``, for enums, arrays and dictionaries.
package final class SecretBox: Sendable {
  package let secret: SecretBytes

  package init(_ secret: consuming SecretBytes) { self.secret = secret }

  /// How many bytes the secret has.
  package var count: Int { secret.count }

  /// Runs `body` on the bytes. The pointer must not outlive the call.
  package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe secret.withUnsafeBytes(body)
  }

  /// Whether both hold the same bytes, in time that does not depend on where they differ.
  package func isEqual(to other: SecretBox) -> Bool { secret.isEqual(to: other.secret) }
}

extension SecretBox: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
