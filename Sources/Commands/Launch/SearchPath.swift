import Glibc

/// Where programs are looked for.
enum SearchPath {
  /// The absolute path of `name`, looked for in `PATH`; relative entries of it are passed over. A name with a slash
  /// has to be absolute itself.
  static func find(_ name: String, _ environment: Environment) -> String? {
    if name.contains("/") { return name.hasPrefix("/") && isExecutable(name) ? name : nil }
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  /// The absolute path of a program that is installed beside this one, or nil when there is none.
  static func sibling(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    let path = own[...slash] + name
    return isExecutable(String(path)) ? String(path) : nil
  }
}
