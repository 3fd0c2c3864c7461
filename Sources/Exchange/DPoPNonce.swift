/// A nonce that a server wants in DPoP proofs: one `NQCHAR` or more (RFC 9449 §8.1). Any other is none, and is never
/// repeated.
package enum DPoPNonce {
  /// The most characters. RFC 9449 sets no limit.
  package static let maximum = 512

  package static func isSound(_ text: String) -> Bool {
    (1...maximum).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}
