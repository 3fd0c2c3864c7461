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

  /// Whether it is of no network of one's own: not unspecified, loopback, private, shared, link-local, unique local,
  /// multicast or reserved (RFC 6890, IANA's special-purpose registries), and no version 4 address in disguise. Documentation
  /// addresses are let pass: nobody is there.
  package var isPublic: Bool { isVersion4 ? Self.isPublic4(bytes[12], bytes[13], bytes[14]) : isPublic6 }

  private static func isPublic4(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch (first, second, third) {
    case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): false
    case (192, 0, 0), (192, 88, 99): false
    case _: true
    }
  }

  /// Global unicast is 2000::/3; Teredo (2001::/32) and 6to4 (2002::/16) hide addresses of version 4.
  private var isPublic6: Bool {
    guard bytes[0] & 0xe0 == 0x20 else { return false }
    let isTeredo = bytes[0...3].elementsEqual([0x20, 0x01, 0, 0])
    return !isTeredo && !(bytes[0] == 0x20 && bytes[1] == 0x02)
  }

  /// Whether a socket bound to this address takes connections to `other`: the same address, or "any".
  func receives(_ other: Self) -> Bool {
    if self == other || bytes.allSatisfy({ $0 == 0 }) { return true }
    return isVersion4 && other.isVersion4 && bytes[12...].allSatisfy { $0 == 0 }
  }

  var isVersion4: Bool { Array(bytes[..<12]) == Self.mappedPrefix }
  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
}
