package import JSON
import Secrets

/// What a command runs with.
package struct CommandContext: Sendable {
  package let console: Console
  package let environment: Environment
  package let daemon: DaemonDoor
  /// Whether the answer is to be JSON (`--json`).
  package let wantsJSON: Bool
  /// What `callback` was started with.
  let handedURL: HandedURL

  package init(
    console: Console, environment: Environment, daemon: DaemonDoor, wantsJSON: Bool, handedURL: HandedURL = .absent
  ) {
    self.console = console
    self.environment = environment
    self.daemon = daemon
    self.wantsJSON = wantsJSON
    self.handedURL = handedURL
  }

  /// Writes one JSON object on a line of its own. Its first member says which format this is.
  package func answer(object body: (inout JSONWriter) -> Void) throws(Failure) {
    try console.answer(JSONAnswer.line(body))
  }
}

/// The JSON that commands write.
enum JSONAnswer {
  /// The version of what `--json` prints: members are added without changing it, never taken away or given another
  /// meaning.
  static let format: Int64 = 1

  static func line(_ body: (inout JSONWriter) -> Void) -> WipedBuffer {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", format)
      body(&writer)
    }
    writer.raw(UInt8(ascii: "\n"))
    return writer.finish()
  }
}
