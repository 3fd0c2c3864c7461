import Glibc
package import Secrets
package import Vault

/// A file with one secret in it, as text: ours, mode 0600.
package enum SecretFile {
  /// The most characters of a secret.
  package static let maximumCount = 1024

  /// Reads the secret straight into locked memory; a line feed at its end is none of it.
  ///
  /// Throws `.unavailable` when it is missing or holds anything but printable ASCII (RFC 6749 appendix A.2), `.untrusted`
  /// when it, or the way to it, is not ours alone. `what` names the file in the errors.
  package static func read(_ path: String, called what: String) throws(StoreError) -> SecretBox {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .unavailable("\(what) is not there")
      case ELOOP: throw .untrusted("\(what) is a symbolic link")
      default: throw .failed("opening \(what)")
      }
    }
    defer { close(file) }
    try OwnPath.check(path, what)
    guard (1...maximumCount + 2).contains(try OwnFile.check(file, what)) else {
      throw .unavailable("\(what) does not hold 1 to \(maximumCount) characters")
    }
    let secret = try text(file)
    guard let secret, (1...maximumCount).contains(secret.count), secret.isPrintable else {
      throw .unavailable("\(what) does not hold 1 to \(maximumCount) characters of printable ASCII")
    }
    return secret
  }

  private static func text(_ file: Int32) throws(StoreError) -> SecretBox? {
    do {
      return SecretBox(
        unsafe try SecretBytes(capacity: maximumCount + 2) { room in
          guard var count = unsafe OwnFile.read(file, into: room) else { return 0 }
          while count > 0, unsafe [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(room[count - 1]) { count -= 1 }
          return count
        })
    } catch {
      throw .memory
    }
  }
}

extension SecretBox {
  fileprivate var isPrintable: Bool { unsafe withUnsafeBytes { unsafe $0.allSatisfy { $0 >= 0x20 && $0 < 0x7f } } }
}
