import CLinux
import Glibc

/// How a child confines itself before it is given anything. It cannot be undone, and it is inherited.
///
/// Call it while the process has one thread. What the child needs open it opens before.
package enum Confinement {
  /// What name resolution and TLS read, beside the certificate authorities.
  private static let resolverFiles = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf", "/etc/services",
    "/etc/ssl/openssl.cnf", "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/localtime",
  ]

  /// Where the links of the hashed directory of certificate authorities lead.
  private static let authorityDirectories = [
    "/etc/ssl/certs", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/pki",
  ]

  /// For the child that speaks to an issuer: it reads certificate authorities (`authorities` adds to the system's),
  /// resolver files and name-service libraries, opens no Unix socket, runs nothing.
  package static func courier(authorities: [String]) throws(ConfinementError) -> ConfinementReport {
    try confine(readable: resolverFiles + authorityDirectories + authorities, withoutUnixSockets: true)
  }

  /// For the child that listens for one browser: it reads nothing and runs nothing.
  ///
  /// Where Landlock governs listening (version 4 up) it must be listening already.
  package static func callback() throws(ConfinementError) -> ConfinementReport {
    try confine(readable: [], withoutUnixSockets: false)
  }

  /// No core file, no look into this process's memory from outside. Also for a program that does no more than this.
  package static func forbidDumps() throws(ConfinementError) {
    guard clinux_forbid_dumps() == 0 else { throw ConfinementError(step: .dumps, code: errno) }
  }

  private static func confine(
    readable: [String], withoutUnixSockets: Bool
  ) throws(ConfinementError) -> ConfinementReport {
    try forbidDumps()
    guard clinux_no_new_privileges() == 0 else { throw ConfinementError(step: .privileges, code: errno) }
    let version = clinux_landlock_version()
    if version > 0, landlock(readable) != 0 { throw ConfinementError(step: .landlock, code: errno) }
    guard clinux_seccomp(withoutUnixSockets ? 1 : 0) == 0 else {
      throw ConfinementError(step: .seccomp, code: errno)
    }
    return ConfinementReport(landlockVersion: UInt8(clamping: version), isWithoutUnixSockets: withoutUnixSockets)
  }

  private static func landlock(_ readable: [String]) -> Int32 {
    let copies = unsafe readable.map { unsafe UnsafePointer(strdup($0)) }
    defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    return unsafe clinux_landlock(copies, copies.count)
  }
}
