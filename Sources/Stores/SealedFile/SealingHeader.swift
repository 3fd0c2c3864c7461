import Secrets
import Sodium

/// The first 96 bytes of a sealed file: under which key it is sealed, and how that key comes about.
///
/// Every file carries it whole, so that no file depends on another. Layout, numbers little-endian:
/// magic (8), version (1), key kind (1), zero (2), Argon2id passes (4), Argon2id bytes (8), salt (16),
/// key check (40: nonce and tag over nothing), SHA-256 of all that (first 16 bytes).
struct SealingHeader: Equatable, Sendable {
  static let count = 96
  static let magic = Array("ALMNSEAL".utf8)
  static let version: UInt8 = 1
  private static let derivationCount = 40
  private static let checkedCount = derivationCount + AEAD.overhead

  /// How the key comes about.
  enum Derivation: Equatable, Sendable {
    case passphrase(salt: [UInt8], PasswordHash.Cost)
    case keyFile
  }

  let derivation: Derivation
  let bytes: [UInt8]

  /// A header for files that will be sealed under `key`.
  init(_ derivation: Derivation, key: borrowing SecretBytes) {
    self.derivation = derivation
    let front = Self.front(derivation)
    let check = unsafe AEAD.seal([UInt8]().span.bytes, additionalData: front, key: key)
    let checked = front + check
    bytes = checked + SHA256.digest(checked).prefix(Self.count - Self.checkedCount)
  }

  /// Reads the start of a file. Throws ``SealedFileDamage``.
  init(reading file: [UInt8]) throws(SealedFileDamage) {
    guard file.count >= Self.count else { throw .truncated }
    guard file.starts(with: Self.magic) else { throw .notSealed }
    let checked = Array(file[..<Self.checkedCount])
    bytes = Array(file[..<Self.count])
    guard bytes[Self.checkedCount...].elementsEqual(SHA256.digest(checked).prefix(Self.count - Self.checkedCount))
    else { throw .changed }
    guard file[8] == Self.version else { throw .version(file[8]) }
    derivation = try Self.derivation(bytes)
  }

  /// Whether `key` is the key this header was made with.
  func isMade(with key: borrowing SecretBytes) -> Bool {
    do throws(AEADError) {
      let check = Array(bytes[Self.derivationCount..<Self.checkedCount])
      return try AEAD.open(check, additionalData: Self.front(derivation), key: key).count == 0
    } catch {
      return false
    }
  }

  private static func front(_ derivation: Derivation) -> [UInt8] {
    switch derivation {
    case .passphrase(let salt, let cost):
      magic + [version, 1, 0, 0] + littleEndian(cost.operations, 4) + littleEndian(UInt64(cost.memory), 8) + salt
    case .keyFile:
      magic + [version, 2, 0, 0] + [UInt8](repeating: 0, count: 28)
    }
  }

  private static func derivation(_ bytes: [UInt8]) throws(SealedFileDamage) -> Derivation {
    switch bytes[9] {
    case 1:
      // A file must not make us work or allocate more than `Cost` allows.
      guard let memory = Int(exactly: number(bytes[16..<24])),
        let cost = PasswordHash.Cost(operations: number(bytes[12..<16]), memory: memory)
      else { throw .excessiveCost }
      return .passphrase(salt: Array(bytes[24..<derivationCount]), cost)
    case 2: return .keyFile
    default: throw .version(bytes[8])
    }
  }

  private static func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// What is wrong with a sealed file. It stays where it is.
enum SealedFileDamage: Error, Equatable {
  case truncated
  case notSealed
  case changed
  case version(UInt8)
  case excessiveCost
  case otherKey
  case notAuthentic

  var text: String {
    switch self {
    case .truncated: "the sealed file is cut off"
    case .notSealed: "the file is not a sealed file of ours"
    case .changed: "the header of the sealed file was changed"
    case .version(let number): "the sealed file has version \(number), which this Almoner does not read"
    case .excessiveCost: "the sealed file asks for an Argon2id cost outside of what is allowed"
    case .otherKey: "the sealed file is sealed under another key than the others"
    case .notAuthentic: "the sealed file was changed, or made for another account"
    }
  }
}
