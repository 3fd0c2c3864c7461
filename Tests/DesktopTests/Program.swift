import Glibc

/// A program started for a test, with its standard output and error in one pipe. Killed when the test lets it go.
final class Program: Sendable {
  let process: pid_t
  private let output: CInt

  init(_ arguments: [String], bus: String? = nil) throws {
    var pipe: [CInt] = [-1, -1]
    guard unsafe Glibc.pipe(&pipe) == 0 else { throw ProgramFailure(code: errno) }
    defer { close(pipe[1]) }
    output = pipe[0]
    let name = arguments.first ?? ""
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for standard in [1, 2] as [CInt] { unsafe posix_spawn_file_actions_adddup2(&actions, pipe[1], standard) }
    for end in pipe { unsafe posix_spawn_file_actions_addclose(&actions, end) }
    let environment = ["PATH=/usr/bin:/bin"] + (bus.map { ["DBUS_SESSION_BUS_ADDRESS=\($0)"] } ?? [])
    var process: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawnp(&process, name, &actions, nil, arguments, environment)
      }
    }
    guard code == 0 else { throw ProgramFailure(code: code) }
    self.process = process
  }

  deinit {
    kill()
    close(output)
  }

  func kill() {
    _ = Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Reads until the text holds `words` or ends, and returns it.
  func read(until words: String? = nil) -> String {
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe Glibc.read(output, &byte, 1) == 1 {
      text.append(byte)
      if let words, String(decoding: text, as: UTF8.self).hasSuffix(words) { break }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

struct ProgramFailure: Error { let code: CInt }

private func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
  let copies = unsafe strings.map { unsafe strdup($0) }
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe body(copies + [nil])
}
