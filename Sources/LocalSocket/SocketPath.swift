import CLinux
import Glibc

/// Where the daemon's socket is.
package struct SocketPath: Equatable, Sendable {
  /// Absolute, at most 107 bytes.
  package let text: String
  /// Whether the person named it (`ALMONER_SOCKET`). Then nobody starts a daemon for it.
  package let isExplicit: Bool

  /// Takes `text` as it is. Throws `pathTooLong` or `pathNotAbsolute`.
  package init(_ text: String, isExplicit: Bool) throws(LocalSocketError) {
    guard text.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute }
    guard text.utf8.count <= Int(CLINUX_SOCKET_PATH_LIMIT) else { throw .pathTooLong }
    self.text = text
    self.isExplicit = isExplicit
  }

  /// Finds it: `ALMONER_SOCKET`, else below `XDG_RUNTIME_DIR`, else below `/run/user/UID` if that is a directory of ours
  /// that nobody else can enter. An empty variable counts as unset.
  package static func find(
    user: UInt32, runtimeRoot: String = "/run/user", _ environment: (String) -> String?
  ) throws(LocalSocketError) -> Self {
    if let named = environment("ALMONER_SOCKET"), !named.isEmpty { return try Self(named, isExplicit: true) }
    if let runtime = environment("XDG_RUNTIME_DIR"), !runtime.isEmpty {
      return try Self(runtime + "/almoner/almoner.sock", isExplicit: false)
    }
    let fallback = "\(runtimeRoot)/\(user)"
    do {
      _ = try PrivateDirectory(fallback, owner: user)
    } catch {
      throw .noRuntimeDirectory
    }
    return try Self(fallback + "/almoner/almoner.sock", isExplicit: false)
  }

  /// The directory it is in.
  var directory: String {
    let parent = text[..<(text.lastIndex(of: "/") ?? text.startIndex)]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// Its name in the directory.
  var name: String { String(text[text.index(after: text.lastIndex(of: "/") ?? text.startIndex)...]) }
}
