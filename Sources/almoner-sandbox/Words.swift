import Sodium

/// The random texts that a sandbox hands out.
///
/// They are ordinary strings on purpose: they open nothing but this process, which forgets them when it ends.
enum Words {
  /// 256 bits in base64url: codes, refresh tokens, the control key.
  static func secret() -> String { Base64URL.encode(Random.bytes(32)) }

  /// A random UUID (RFC 9562 §5.4).
  static func uuid() -> String {
    var bytes = Random.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = Array(Hexadecimal.encode(bytes))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
  }
}
