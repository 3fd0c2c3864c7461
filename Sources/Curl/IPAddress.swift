import Glibc

/// An IP address in the form of version 6; one of version 4 is mapped (RFC 4291 §2.5.5.2).
package struct IPAddress: Hashable, Sendable {
  /// Sixteen bytes in network order.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    precondition(bytes.count == 16)
    self.bytes = bytes
  }

  /// Version 4, four bytes in network order.
  init(mapping bytes: [UInt8]) { self.init(bytes: Self.mappedPrefix + bytes) }

  /// Nil unless `text` is a numeric address.
  package init?(_ text: String) {
    var four = [UInt8](repeating: 0, count: 4)
    var sixteen = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      self.init(mapping: four)
    } else if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
      self.init(bytes: sixteen)
    } else {
      return nil
    }
  }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool { isVersion4 ? bytes[12] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

  /// Whether a socket bound to this address takes connections to `other`: the same address, or "any".
  func receives(_ other: Self) -> Bool {
    if self == other || bytes.allSatisfy({ $0 == 0 }) { return true }
    return isVersion4 && other.isVersion4 && bytes[12...].allSatisfy { $0 == 0 }
  }

  var isVersion4: Bool { Array(bytes[..<12]) == Self.mappedPrefix }
  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
}
