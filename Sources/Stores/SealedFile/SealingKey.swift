import Secrets
import Sodium
import Vault

/// The key under which an account's file is sealed, with the header that goes in front.
struct SealingKey: Sendable {
  let header: SealingHeader
  private let key: SecretBox

  /// Derives the key that `header` describes. Throws `.wrongPassphrase` when it is not the one the header was made with.
  init(passphrase: SecretBox, for header: SealingHeader, salt: [UInt8], cost: PasswordHash.Cost) throws(StoreError) {
    key = try Self.derive(passphrase, salt, cost)
    guard header.isMade(with: key.secret) else { throw .wrongPassphrase }
    self.header = header
  }

  /// Derives a key for a store that has no file yet.
  init(newPassphrase passphrase: SecretBox, cost: PasswordHash.Cost) throws(StoreError) {
    let salt = Random.bytes(PasswordHash.saltCount)
    key = try Self.derive(passphrase, salt, cost)
    header = SealingHeader(.passphrase(salt: salt, cost), key: key.secret)
  }

  /// The bytes of a key file, as they are.
  init(keyFile: consuming SecretBytes) {
    key = SecretBox(keyFile)
    header = SealingHeader(.keyFile, key: key.secret)
  }

  /// The whole file: header, then the record sealed for `context` alone.
  func seal(_ record: SecretBox, for context: [UInt8]) -> [UInt8] {
    header.bytes + AEAD.seal(record.secret, additionalData: header.bytes + context, key: key.secret)
  }

  /// The record in a whole file. Throws ``SealedFileDamage``.
  func open(_ file: [UInt8], for context: [UInt8]) throws(SealedFileDamage) -> SecretBox {
    let header = try SealingHeader(reading: file)
    guard header.isMade(with: key.secret) else { throw .otherKey }
    do throws(AEADError) {
      let sealed = Array(file[SealingHeader.count...])
      return SecretBox(try AEAD.open(sealed, additionalData: header.bytes + context, key: key.secret))
    } catch .tooShort {
      throw .truncated
    } catch {
      throw .notAuthentic
    }
  }

  private static func derive(
    _ passphrase: SecretBox, _ salt: [UInt8], _ cost: PasswordHash.Cost
  ) throws(StoreError) -> SecretBox {
    guard passphrase.count > 0 else { throw .wrongPassphrase }
    do throws(PasswordHashError) {
      return SecretBox(try PasswordHash.key(passphrase: passphrase.secret, salt: salt, cost: cost))
    } catch {
      throw .unavailable("not enough memory for Argon2id (\(cost.memory >> 20) MiB)")
    }
  }
}
