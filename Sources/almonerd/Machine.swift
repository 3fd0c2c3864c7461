import Glibc

/// Which machine and which programs these are.
enum Machine {
  /// `/etc/machine-id` (machine-id(5)): records and journals are bound to it. Without one, a fixed word.
  static var id: String {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      if let text = firstLine(of: path), text.utf8.count == 32 { return text }
    }
    return "no-machine-id"
  }

  /// The directory of the program that runs.
  static var ownDirectory: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { room in
      guard let start = room.baseAddress else { return 0 }
      return unsafe readlink("/proc/self/exe", start, room.count)
    }
    guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: buffer[..<slash], as: UTF8.self)
  }

  private static func firstLine(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
