import CSodium
package import Secrets

/// Argon2id (RFC 9106): turns a passphrase into a key, slowly.
package enum PasswordHash {
  /// Bytes of salt.
  package static let saltCount = 16
  /// Bytes in the derived key.
  package static let keyCount = 32

  /// How much work one derivation is.
  package struct Cost: Equatable, Sendable {
    /// Passes over the memory (t).
    package let operations: UInt64
    /// Bytes of memory, all of it in use at once (m).
    package let memory: Int

    /// Nil outside of what is safe to use and safe to be asked for by a file: 2…16 passes, 19 MiB…1 GiB.
    package init?(operations: UInt64, memory: Int) {
      guard (2...16).contains(operations), (19 << 20...1 << 30).contains(memory) else { return nil }
      self.init(checked: operations, memory)
    }

    private init(checked operations: UInt64, _ memory: Int) {
      self.operations = operations
      self.memory = memory
    }

    /// 2 passes over 64 MiB: about a tenth of a second on a small machine.
    package static let interactive = Cost(checked: 2, 64 << 20)
    /// 3 passes over 256 MiB: about three quarters of a second.
    package static let moderate = Cost(checked: 3, 256 << 20)
  }

  /// Derives a key of ``keyCount`` bytes. Takes as long as `cost` says: never on the loop.
  ///
  /// Throws ``PasswordHashError/memory`` when that much memory cannot be had.
  package static func key(
    passphrase: borrowing SecretBytes, salt: [UInt8], cost: Cost
  ) throws(PasswordHashError) -> SecretBytes {
    precondition(salt.count == saltCount)
    var status: Int32 = -1
    let key: SecretBytes
    do throws(SecretMemoryExhausted) {
      key = unsafe try SecretBytes(count: keyCount) { room in
        status = unsafe derive(passphrase, salt, cost, into: room)
      }
    } catch {
      throw .memory
    }
    guard status == 0 else { throw .memory }
    return key
  }

  private static func derive(
    _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ cost: Cost, into room: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    unsafe passphrase.withUnsafeBytes { passphrase in
      guard let out = unsafe room.assumingMemoryBound(to: UInt8.self).baseAddress,
        let text = unsafe passphrase.assumingMemoryBound(to: CChar.self).baseAddress
      else { return -1 }
      return unsafe crypto_pwhash(
        out, UInt64(room.count), text, UInt64(passphrase.count), salt, cost.operations, cost.memory,
        crypto_pwhash_ALG_ARGON2ID13)
    }
  }
}

/// Why no key was derived.
package enum PasswordHashError: Error, Equatable, Sendable {
  /// The memory that the cost asks for, or a slot for the key, cannot be had.
  case memory
}
