/// `Content-Type` (RFC 9110 §8.3.1).
enum MediaType {
  /// The longest media type that is kept; a longer one becomes empty.
  static let maximum = 127

  /// Type and subtype in lower case, without parameters; empty when it is no such thing.
  static func essence(_ value: String) -> String {
    let essence = value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    let isPlain = essence.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    return isPlain && essence.utf8.count <= maximum ? essence : ""
  }
}
