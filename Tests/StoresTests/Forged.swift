import Sodium

/// Headers that a person with a text editor and a hash function could make.
enum Forged {
  /// The file with another Argon2id memory in its header, and the header's checksum made to fit.
  static func header(_ file: [UInt8], memory: UInt64) -> [UInt8] {
    var forged = file
    for index in 0..<8 { forged[16 + index] = UInt8(truncatingIfNeeded: memory >> (8 * UInt64(index))) }
    forged.replaceSubrange(80..<96, with: SHA256.digest(Array(forged[..<80])).prefix(16))
    return forged
  }
}
