import Glibc
import HTTPServer

/// Who owns the far end of a loopback connection, from the kernel's table of TCP sockets (proc(5), `/proc/net/tcp`).
final class PeerTable {
  /// Bytes of a table that are read; a machine with more sockets than that has no browser that works either.
  private static let maximum = 32 << 20

  /// Opened before the process confines itself, read again for each question.
  private let descriptors: [Int32]

  init() {
    descriptors = [
      unsafe open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC), unsafe open("/proc/self/net/tcp6", O_RDONLY | O_CLOEXEC),
    ]
  }

  deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }

  /// The uid of the socket that is connected from `peer` to `local`; nil when the kernel lists none.
  func owner(of peer: LoopbackEndpoint, connectedTo local: LoopbackEndpoint) -> UInt32? {
    var wanted = [(Self.key(peer.address, peer.port), Self.key(local.address, local.port), descriptors[1])]
    if peer.family == .v4 {
      let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
      wanted = [
        (Self.key(peer.address, peer.port), Self.key(local.address, local.port), descriptors[0]),
        (Self.key(mapped + peer.address, peer.port), Self.key(mapped + local.address, local.port), descriptors[1]),
      ]
    }
    for (peer, local, descriptor) in wanted {
      if let owner = Self.search(descriptor, for: " \(peer) \(local) ") { return owner }
    }
    return nil
  }

  /// An end as the table writes it: each 32 bits of the address as the machine reads them, then the port; all in hex.
  private static func key(_ address: [UInt8], _ port: UInt16) -> String {
    let words = stride(from: 0, to: address.count, by: 4).map { at in
      hex(UInt32(littleEndian: address[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }), 8)
    }
    return words.joined() + ":" + hex(UInt32(port), 4)
  }

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// Finds the line with both ends and returns its eighth field.
  private static func search(_ descriptor: Int32, for ends: String) -> UInt32? {
    let wanted = Array(ends.utf8)
    guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    var rest: [UInt8] = []
    var total = 0
    var piece = [UInt8](repeating: 0, count: 32 << 10)
    while total < maximum {
      let count = unsafe read(descriptor, &piece, piece.count)
      guard count > 0 else { return nil }
      total += count
      rest += piece[..<count]
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = Array(lines.removeLast())
      if let line = lines.first(where: { contains($0, wanted) }) { return uid(line) }
    }
    return nil
  }

  /// `sl local_address rem_address st tx:rx tr:when retrnsmt uid …`
  private static func uid(_ line: ArraySlice<UInt8>) -> UInt32? {
    let fields = line.split(separator: UInt8(ascii: " "))
    return fields.count > 7 ? UInt32(String(decoding: fields[7], as: UTF8.self)) : nil
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ wanted: [UInt8]) -> Bool {
    guard line.count >= wanted.count else { return false }
    // The ends stand near the start, behind the slot number and its colon.
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return line[(colon + 1)...].starts(with: wanted)
  }
}
