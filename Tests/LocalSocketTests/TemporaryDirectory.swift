import Glibc

/// A private directory for one test, removed with all files in it.
final class TemporaryDirectory: Sendable {
  struct Failed: Error {}

  let path: String

  init() throws {
    var template = Array("/tmp/almoner-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failed() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    guard let directory = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      if unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    unsafe closedir(directory)
    unsafe rmdir(path)
  }
}
