import Secrets

/// The fields of a query or form body (application/x-www-form-urlencoded), each at most once.
struct FormFields {
  /// Fields that are read; more is refused.
  static let maximum = 32

  private var fields: [String: String] = [:]

  /// Nil: a field is there twice, is not UTF-8, or there are too many.
  init?(_ encoded: SecretBox?) {
    guard let encoded else { return }
    let pairs = unsafe encoded.withUnsafeBytes { unsafe Array($0) }.split(separator: UInt8(ascii: "&"))
    guard pairs.count <= Self.maximum else { return nil }
    for pair in pairs {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.unescape(parts[0]), let value = parts.count == 2 ? Self.unescape(parts[1]) : "",
        fields.updateValue(value, forKey: name) == nil
      else { return nil }
    }
  }

  subscript(name: String) -> String? { fields[name] }

  /// Percent-encodes all but the unreserved characters (RFC 3986 §2.3).
  static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { escaped, unit in
      let scalar = Unicode.Scalar(unit)
      if unit < 0x80,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._~".contains(Character(scalar))
      {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "%\(digits[Int(unit >> 4)])\(digits[Int(unit & 15)])"
      }
    }
  }

  private static func unescape(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var at = text.startIndex
    while at < text.endIndex {
      switch text[at] {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard at + 2 < text.endIndex,
          let byte = UInt8(String(decoding: text[at + 1...at + 2], as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(byte)
        at += 2
      default: bytes.append(text[at])
      }
      at += 1
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
