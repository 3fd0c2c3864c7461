import CLinux
import Glibc

/// What a system call left in `errno`.
struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
  let code: Int32

  init(_ code: Int32 = errno) { self.code = code }

  var isAbsence: Bool { code == ENOENT }

  var description: String { unsafe String(cString: clinux_error_text(code)) }
}
