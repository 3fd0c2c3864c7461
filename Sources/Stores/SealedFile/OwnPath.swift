import Glibc
import Vault

/// Checks the way to a file that must be ours: who may write one of its directories could put another file there.
enum OwnPath {
  /// Throws `.untrusted` unless each directory down to the file belongs to us or to root, and nobody else may write it.
  /// One that is sticky, as `/tmp` is, may be written by all: they cannot take our names away.
  static func check(_ path: String, _ what: String) throws(StoreError) {
    let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    guard let resolved = unsafe realpath("\(parent)/", nil) else { throw .failed("the directory of \(what)") }
    defer { unsafe free(resolved) }
    let root = try facts("/", what)
    // Within a user namespace that does not know root, the owner of `/` stands for it.
    let trusted = [0, geteuid(), root.owner]
    var directory = ""
    for name in unsafe String(cString: resolved).split(separator: "/") {
      directory += "/\(name)"
      let facts = try facts(directory, what)
      guard trusted.contains(facts.owner) else {
        throw .untrusted("\(what) is in a directory of somebody else's: \(directory)")
      }
      guard facts.mode & 0o022 == 0 || facts.mode & S_ISVTX != 0 else {
        throw .untrusted("\(what) is in a directory that others may write: \(directory)")
      }
    }
  }

  private static func facts(_ directory: String, _ what: String) throws(StoreError) -> (owner: uid_t, mode: mode_t) {
    var about = stat()
    guard unsafe lstat(directory, &about) == 0 else { throw .failed("the directory of \(what)") }
    return (about.st_uid, about.st_mode)
  }
}
