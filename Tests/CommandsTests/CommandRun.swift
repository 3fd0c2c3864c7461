import Commands
import Glibc
import Wire

/// A command that was run against a ``FakeDaemon``, with pipes for its descriptors and nobody to ask.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String
  let calls: [Call]

  init(
    _ words: String, input: String = "", environment: [String: String] = [:], _ scripts: [[UInt8]]...
  ) throws {
    let daemon = FakeDaemon(scripts)
    let environment = Environment(environment)
    var stdin = try Pipe()
    var stdout = try Pipe()
    var stderr = try Pipe()
    if let end = stdin.inheritable { _ = unsafe write(end, input, input.utf8.count) }
    stdin.closeWriting()
    let console = Console(
      input: stdin.reading.number, output: stdout.inheritable ?? -1, errors: stderr.inheritable ?? -1,
      environment: environment)
    let tool = CommandLineTool(console: console, environment: environment, daemon: daemon.door)
    status = tool.run(words.split(separator: " ").map(String.init)).rawValue
    stdout.closeWriting()
    stderr.closeWriting()
    output = String(decoding: stdout.readAll(limit: 1 << 20, idle: 1000), as: UTF8.self)
    errors = String(decoding: stderr.readAll(limit: 1 << 20, idle: 1000), as: UTF8.self)
    calls = try daemon.calls()
  }
}
