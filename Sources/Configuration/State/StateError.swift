/// Why the state directory or something in it could not be used. Nothing was written then.
package enum StateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Neither `XDG_STATE_HOME` nor `HOME` says where it is.
  case noHome
  /// It is not ours alone: loose mode, foreign owner, symbolic link, network file system, replaced while we ran.
  case untrusted(path: String, why: String)
  /// The disk refused (ENOSPC, EIO, …).
  case storage(path: String, why: String)
  /// Another daemon holds the lock.
  case alreadyRunning
  /// A file was written by a newer version of Almoner. It is left as it is.
  case newerFormat(path: String)
  /// The change cannot be kept: another account has this name, or this account is unknown.
  case conflict(String)

  package var description: String {
    switch self {
    case .noHome: "neither XDG_STATE_HOME nor HOME is an absolute path"
    case .untrusted(let path, let why): "\(path) is not used: \(why)"
    case .storage(let path, let why): "\(path): \(why)"
    case .alreadyRunning: "already running"
    case .newerFormat(let path): "\(path) was written by a newer version of Almoner"
    case .conflict(let what): what
    }
  }
}
