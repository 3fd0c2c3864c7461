import COpenSSL

/// One `EVP_PKEY` of OpenSSL, freed with its last owner.
///
/// OpenSSL counts its owners and locks what it changes, so several threads may use one for signing and verifying.
@safe final class KeyHandle: Sendable {
  /// Owned by this object alone; set once and valid until it goes.
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Takes the key over from the caller.
  init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe EVP_PKEY_free(pointer) }
}
