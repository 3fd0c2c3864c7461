import Glibc

/// Why a journal's file or directory could not be used.
package enum JournalFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no such file or directory.
  case absent
  /// A call failed: ENOSPC, EIO, …
  case failed(String, errno: Int32)
  /// Not ours alone, not what we made, or reached by a link. It was left as it is.
  case untrusted(String)
  /// Not the file that we made for the account: of another size, or with another header. It was left as it is.
  case damaged(String)

  static func last(_ call: String) -> Self { errno == ENOENT ? .absent : .failed(call, errno: errno) }

  package var description: String {
    switch self {
    case .absent: "there is no journal"
    case .failed(let call, let code): "the journal cannot be used: \(call) failed (errno \(code))"
    case .untrusted(let why): "the journal cannot be trusted: \(why)"
    case .damaged(let why): "the journal is damaged: \(why); almoner login makes a new one"
    }
  }
}
