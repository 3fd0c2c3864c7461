import Glibc
import Secrets
import Sodium
import Vault

/// The file named by `key-file=`: exactly 32 raw bytes, ours, mode 0600.
enum KeyFile {
  /// Reads the key straight into locked memory.
  ///
  /// Throws `.unavailable` when it is missing or has another length, `.untrusted` when it, or the way to it, is not ours
  /// alone.
  static func read(_ path: String) throws(StoreError) -> SecretBytes {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      switch errno {
      case ENOENT: throw .unavailable("the key file is not there")
      case ELOOP: throw .untrusted("the key file is a symbolic link")
      default: throw .failed("opening the key file")
      }
    }
    defer { close(file) }
    try OwnPath.check(path, "the key file")
    guard try OwnFile.check(file, "the key file") == AEAD.keyCount else {
      throw .unavailable("the key file does not hold exactly \(AEAD.keyCount) bytes")
    }
    return try key(file)
  }

  private static func key(_ file: Int32) throws(StoreError) -> SecretBytes {
    var count: Int?
    let key: SecretBytes
    do throws(SecretMemoryExhausted) {
      key = unsafe try SecretBytes(count: AEAD.keyCount) { room in
        count = unsafe OwnFile.read(file, into: room)
      }
    } catch {
      throw .memory
    }
    guard count == AEAD.keyCount else { throw .unavailable("the key file was changed while it was read") }
    return key
  }
}
