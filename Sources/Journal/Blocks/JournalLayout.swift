/// Where things are in a journal file. Each part is on 4 KiB blocks of its own, so that writing one never touches
/// another; the file is written whole when it is made and never grows.
package enum JournalLayout {
  package static let magic = Array("ALMONERJ".utf8)
  package static let version: UInt32 = 1
  package static let blockSize = 4096
  package static let fileSize = 64 << 10

  /// A sealed part of the file.
  package enum Part: UInt8, CaseIterable, Sendable {
    case intent = 1
    case departed = 2
    case pad = 3

    /// Bytes from the start of the file.
    package var offset: Int {
      switch self {
      case .intent: blockSize
      case .departed: 2 * blockSize
      case .pad: 3 * blockSize
      }
    }

    /// Bytes that belong to it.
    package var capacity: Int {
      switch self {
      case .intent, .departed: blockSize
      case .pad: fileSize - 3 * blockSize
      }
    }
  }

  /// The plain header: it says what the file is, and is believed in nothing else.
  static func header(_ identity: JournalIdentity) -> [UInt8] {
    var header = magic
    for number in [version, UInt32(blockSize), identity.user] {
      header += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    return header + Array(identity.account.utf8)
  }
}
