import EventLoop
import Glibc

/// A directory for one test, removed with the files and directories of files in it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/almoner-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    guard let stream = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
      if name != ".", name != "..", unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    unsafe closedir(stream)
    unsafe rmdir(path)
  }
}

/// A program of this package, built beside the tests.
func builtProgram(_ name: String) throws -> String {
  var room = [CChar](repeating: 0, count: 4096)
  for link in ["/proc/self/exe"] + CommandLine.arguments.filter({ $0.hasSuffix(".xctest") }) {
    let count = unsafe readlink(link, &room, room.count)
    let path = count > 0 ? String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : link
    guard let slash = path.lastIndex(of: "/") else { continue }
    let program = path[..<slash] + "/" + name
    if unsafe access(String(program), X_OK) == 0 { return String(program) }
  }
  throw SystemError("finding \(name)", ENOENT)
}
