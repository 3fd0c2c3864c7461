import Secrets
import Sodium
import Vault

/// A record as it lies in a keyring item: one line with a version and the record's SHA-256, then the record.
///
/// The keyring encrypts; this tells what we stored from what something else wrote there. Text, so that a keyring that
/// shows or exports its items is not upset by it.
enum CheckedRecord {
  private static let mark = Array("almoner-record-1 ".utf8)
  private static let headCount = mark.count + 2 * SHA256.digestCount + 1

  static func make(_ record: SecretBox) throws(StoreError) -> SecretBox {
    let head = head(SHA256.digest(record.secret))
    do throws(SecretMemoryExhausted) {
      return SecretBox(
        unsafe try SecretBytes(count: head.count + record.count) { room in
          unsafe room.copyBytes(from: head)
          unsafe record.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[head.count...]).copyMemory(from: bytes)
          }
        })
    } catch {
      throw .memory
    }
  }

  /// The record, or nil when these are not bytes that ``make(_:)`` made.
  static func open(_ held: SecretBox) throws(StoreError) -> SecretBox? {
    guard held.count > headCount else { return nil }
    let record: SecretBox
    do throws(SecretMemoryExhausted) {
      record = SecretBox(try SecretBytes(copying: held.secret, headCount..<held.count))
    } catch {
      throw .memory
    }
    let head = head(SHA256.digest(record.secret))
    let isOurs = unsafe held.withUnsafeBytes { unsafe $0.prefix(headCount).elementsEqual(head) }
    return isOurs ? record : nil
  }

  /// Whether these are bytes that ``make(_:)`` made. Says no when there is no memory to look.
  static func isIntact(_ held: SecretBox) -> Bool {
    do throws(StoreError) { return try open(held) != nil } catch { return false }
  }

  private static func head(_ digest: [UInt8]) -> [UInt8] {
    mark + Hexadecimal.encode(digest).utf8 + [UInt8(ascii: "\n")]
  }
}

extension StoreError {
  static let memory = Self.unavailable("no locked memory left for a record")
}
