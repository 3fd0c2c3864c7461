import Glibc
import Testing

/// A state directory of one test, gone with it.
final class TemporaryState: Sendable {
  let path: String

  init() throws {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/almoner-stores.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.removeTree(path) }

  var sealed: String { path + "/sealed" }

  func file(_ name: String) -> String { "\(sealed)/\(name)" }

  /// The names in a directory, sorted; none when there is no directory.
  static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func bytes(of path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { throw TestFailure("open") }
    defer { close(file) }
    var room = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe room.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    return Array(room.prefix(max(0, count)))
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    guard file >= 0 else { throw TestFailure("open") }
    defer { close(file) }
    guard unsafe bytes.withUnsafeBytes({ unsafe Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
      throw TestFailure("write")
    }
    fchmod(file, mode)
  }

  private static func removeTree(_ path: String) {
    for name in names(in: path) {
      let inner = "\(path)/\(name)"
      if unsafe unlink(inner) != 0 { removeTree(inner) }
    }
    unsafe rmdir(path)
  }
}

/// What a test could not arrange.
struct TestFailure: Error {
  let call: String
  let code: Int32

  init(_ call: String) {
    self.call = call
    code = errno
  }
}
