import CSodium
package import Secrets

/// Random bytes from the kernel's generator.
package enum Random {
  /// `count` random bytes that must not leak: keys, `state`, `code_verifier`, `nonce`.
  package static func secret(count: Int) throws(SecretMemoryExhausted) -> SecretBytes {
    unsafe try SecretBytes(count: count) { room in
      guard let base = room.baseAddress else { return }
      unsafe randombytes_buf(base, room.count)
    }
  }

  /// `count` random bytes that anybody may see: salts, nonces of ciphers, identifiers.
  package static func bytes(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { room, written in
      if let base = room.baseAddress { unsafe randombytes_buf(base, count) }
      written = count
    }
  }

  /// A random number in `0..<bound`, every value as likely as the next: for jitter.
  package static func below(_ bound: UInt32) -> UInt32 { randombytes_uniform(bound) }
}
