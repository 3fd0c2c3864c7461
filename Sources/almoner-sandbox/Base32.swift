/// Base32 without padding (RFC 4648 §6): how a person types a secret into an authenticator.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  static func encode(_ bytes: [UInt8]) -> String {
    var text = "", held = 0, bits = 0
    for byte in bytes {
      held = (held << 8 | Int(byte)) & 0xFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[held >> bits & 31])
      }
    }
    if bits > 0 { text.append(alphabet[held << (5 - bits) & 31]) }
    return text
  }
}
