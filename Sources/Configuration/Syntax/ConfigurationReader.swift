/// Reads the syntax of desktop entries: `[group]`, `key=value`, `#` comments.
///
/// Stricter than GLib's reader, which drops duplicates and `key[xx]` without a word, knows no line numbers and repeats
/// raw lines in its errors. Pure: bytes in, a document and problems out; the file is named only in problems.
package struct ConfigurationReader {
  /// The longest file, in bytes. The whole configuration of a machine fits many times.
  package static let maximumFile = 256 * 1024
  /// The longest line, in bytes without its line feed.
  package static let maximumLine = 4096
  /// After this many problems the rest of the file is not looked at: it is no configuration.
  package static let maximumProblems = 20

  private let file: String
  private var line = 0
  private var document: ConfigurationDocument
  private var problems: [ConfigurationProblem] = []
  private var position = Position.beforeGroups
  private var groupLines: [GroupName: Int] = [:]
  private var keyLines: [String: Int] = [:]

  private enum Position {
    case beforeGroups
    case inside(GroupName)
    /// In a group whose header was refused: its keys are not worth problems of their own.
    case insideRefused
  }

  private init(file: String) {
    self.file = file
    document = ConfigurationDocument(file: file)
  }

  /// Reads a file's bytes. The document is whole only when there are no problems.
  package static func read(
    _ bytes: [UInt8], file: String, limit: Int = maximumFile
  ) -> (ConfigurationDocument, [ConfigurationProblem]) {
    var reader = Self(file: file)
    guard bytes.count <= limit else {
      reader.report(.unreadable("it is longer than \(limit) bytes"))
      return (reader.document, reader.problems)
    }
    for bytes in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      reader.line += 1
      reader.readLine(bytes)
      if reader.problems.count == maximumProblems { break }
    }
    return (reader.document, reader.problems)
  }

  private mutating func readLine(_ bytes: ArraySlice<UInt8>) {
    if let oddity = Self.oddity(of: bytes) { return report(.badSyntax(oddity)) }
    let text = String(decoding: bytes, as: UTF8.self).trimmingBlanks()
    if text.isEmpty || text.hasPrefix("#") { return }
    if text.hasPrefix("[") { readHeader(text) } else { readEntry(text) }
  }

  /// What no line may be, whatever it says.
  private static func oddity(of bytes: ArraySlice<UInt8>) -> String? {
    if bytes.count > maximumLine { return "the line is longer than \(maximumLine) bytes" }
    if bytes.last == UInt8(ascii: "\r") { return "the line ends in a carriage return: save it with Unix line ends" }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "the file starts with a byte order mark: save it without one" }
    if bytes.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) { return "the line has a control character" }
    return String(validating: bytes, as: UTF8.self) == nil ? "the line is not UTF-8" : nil
  }

  private mutating func readHeader(_ text: String) {
    position = .insideRefused
    guard let name = GroupName(header: text) else {
      return report(.badSyntax("a group is [KIND] or [KIND NAME], NAME as accounts are named"))
    }
    if let first = groupLines[name] { return report(.repeated(line: first), group: name) }
    groupLines[name] = line
    keyLines = [:]
    position = .inside(name)
    document.groups.append(.init(name: name, place: Place(file: file, line: line)))
  }

  private mutating func readEntry(_ text: String) {
    let group: GroupName
    switch position {
    case .insideRefused: return
    case .beforeGroups: return report(.badSyntax("only comments may stand before the first group"))
    case .inside(let name): group = name
    }
    guard let equals = text.firstIndex(of: "=") else {
      return report(.badSyntax("the line is no KEY=VALUE"), group: group)
    }
    let key = String(text[..<equals]).trimmingBlanks()
    guard key.isKey else {
      return report(.badSyntax("a key is made of a-z, 0-9 and -, and has no translations"), group: group)
    }
    if let first = keyLines[key] { return report(.repeated(line: first), group: group, key: key) }
    keyLines[key] = line
    let written = String(text[text.index(after: equals)...]).trimmingBlanks()
    guard let value = ValueEscapes.resolve(written) else {
      return report(.badSyntax(#"a backslash is followed by s, n, t, r or \"#), group: group, key: key)
    }
    let entry = ConfigurationDocument.Entry(key: key, value: value, place: Place(file: file, line: line))
    document.groups[document.groups.count - 1].entries.append(entry)
  }

  private mutating func report(_ reason: ConfigurationProblem.Reason, group: GroupName? = nil, key: String? = nil) {
    let line = line > 0 ? line : nil
    problems.append(ConfigurationProblem(file: file, line: line, group: group, key: key, reason: reason))
  }
}

extension GroupName {
  /// Nil unless the header has the form `[kind]` or `[kind label]`. What passes is short and harmless to print.
  fileprivate init?(header: String) {
    guard header.hasSuffix("]"), header.utf8.count > 2 else { return nil }
    let words = header.dropFirst().dropLast().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count <= 2, let kind = words.first.map(String.init), kind.isKey else { return nil }
    let label = words.count == 2 ? String(words[1]) : nil
    if let label, !AccountName.isValid(label) { return nil }
    self.init(kind: kind, label: label)
  }
}

extension String {
  /// Without the spaces and tabs around it.
  func trimmingBlanks() -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }

  /// Whether it has the shape of our keys. A token pasted into the wrong place seldom has: it may be printed.
  fileprivate var isKey: Bool {
    let isAllowed = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
    return (1...30).contains(utf8.count) && utf8.allSatisfy(isAllowed)
  }
}
