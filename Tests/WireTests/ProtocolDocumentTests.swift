import Glibc
import JSON
import Testing
import Wire

/// `PROTOCOL.md` and the code say the same.
@Suite struct ProtocolDocumentTests {
  private let document: [Substring]

  init() throws {
    // ALMONER_TREE: where a copy of the tree is that an unprivileged user can read.
    let tree =
      unsafe getenv("ALMONER_TREE").map { unsafe String(cString: $0).split(separator: "/") }
      ?? #filePath.split(separator: "/").dropLast(3)
    document = try text(ofFile: tree + ["PROTOCOL.md"]).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `the document holds the description that is served`() throws {
    let start = try #require(document.firstIndex(of: "```varlink"))
    let end = try #require(document[start...].firstIndex(of: "```"))
    #expect(document[(start + 1)..<end].joined(separator: "\n") + "\n" == InterfaceDescription.text)
  }

  @Test func `the document has a line for every method`() {
    let methods = Wire.methods.filter { $0.interface == InterfaceDescription.name }.map { $0.name }
    #expect(firstCells(under: "### Methods") == methods)
  }

  @Test func `the document has a line for every error`() {
    #expect(firstCells(under: "### Errors") == errors.map(\.name))
  }

  @Test(arguments: serviceErrors)
  func `the document names every error of the service`(error: ServiceError) {
    #expect(document.contains { $0.contains("`\(error.name)`") })
  }

  @Test(arguments: [
    ("A call, without its NUL", Wire.maximumFrame), ("A reply, without its NUL", Wire.maximumReply),
    ("Nesting of a call", Wire.callLimits.depth), ("A string", Wire.callLimits.stringBytes),
    ("An account, issuer, client or redirect URI, in bytes", Wire.Limit.text),
    ("`timeout`, in seconds", Int(Wire.Limit.timeout.upperBound)),
    ("`minValid`, in seconds", Int(Wire.Limit.minValid.upperBound)),
  ])
  func `the document has the limits of the code`(what: String, limit: Int) throws {
    let line = try #require(document.first { $0.hasPrefix("| \(what) |") })
    #expect(line.filter { $0 != "," }.split(separator: " ").contains("\(limit)"))
  }

  /// The code words that start the lines of the table under a heading.
  private func firstCells(under heading: String) -> [String] {
    document.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }.compactMap { line in
      line.hasPrefix("| `") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
  }
}

private struct Unreadable: Error {}

private func text(ofFile components: [Substring]) throws -> String {
  let file = unsafe open("/" + components.joined(separator: "/"), O_RDONLY)
  guard file >= 0 else { throw Unreadable() }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 64 << 10)
  let count = unsafe read(file, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
