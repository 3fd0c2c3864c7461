import Glibc

/// A directory for one test, removed with everything in it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/almoner-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SetUpFailure(code: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.removeTree(path) }

  func makeDirectory(_ name: String, mode: mode_t = 0o700) throws {
    guard unsafe mkdir("\(path)/\(name)", 0o700) == 0, unsafe chmod("\(path)/\(name)", mode) == 0 else {
      throw SetUpFailure(code: errno)
    }
  }

  func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard file >= 0, unsafe Glibc.write(file, bytes, bytes.count) == bytes.count, fchmod(file, mode) == 0 else {
      throw SetUpFailure(code: errno)
    }
  }

  func read(_ name: String) -> String? {
    let file = unsafe open("\(path)/\(name)", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe Glibc.read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  func mode(of name: String) -> mode_t? {
    var status = stat()
    return unsafe lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  func link(_ name: String, to target: String) throws {
    guard unsafe symlink(target, "\(path)/\(name)") == 0 else { throw SetUpFailure(code: errno) }
  }

  func makeFIFO(_ name: String) throws {
    guard unsafe mkfifo("\(path)/\(name)", 0o600) == 0 else { throw SetUpFailure(code: errno) }
  }

  func move(_ name: String, to other: String) throws {
    guard unsafe rename("\(path)/\(name)", "\(path)/\(other)") == 0 else { throw SetUpFailure(code: errno) }
  }

  func setMode(_ name: String, _ mode: mode_t) throws {
    guard unsafe chmod("\(path)/\(name)", mode) == 0 else { throw SetUpFailure(code: errno) }
  }

  func names(in name: String = ".") -> [String] { Self.names(in: "\(path)/\(name)") }

  private static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  private static func removeTree(_ path: String) {
    for name in names(in: path) where unsafe unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}

struct SetUpFailure: Error { let code: Int32 }
