import Configuration
import Testing

/// What the reader says of a text: groups and entries, or problems.
private func read(_ text: String) -> (ConfigurationDocument, [ConfigurationProblem]) {
  ConfigurationReader.read(Array(text.utf8), file: "a.conf")
}

private func problems(_ text: String) -> [String] { read(text).1.map(\.description) }

@Suite struct ConfigurationReaderTests {
  @Test func `a group has its entries with their lines`() {
    let (document, _) = read("# who\n\n[issuer work]\nkind = openid\nscopes=openid  email\n")
    let entries = document.groups.first?.entries.map { "\($0.place.line) \($0.key) \($0.value)" }
    #expect(entries == ["4 kind openid", "5 scopes openid  email"])
  }

  @Test func `a label belongs to the group's name`() {
    #expect(read("[issuer work]").0.groups.map(\.name) == [GroupName(kind: "issuer", label: "work")])
  }

  @Test func `an empty file is an empty document`() {
    #expect(read("").0.groups.isEmpty && problems("").isEmpty)
  }

  @Test func `a last line without a line feed counts`() {
    #expect(read("[refresh]\nforce-interval=0s").0.groups.first?.entries.first?.value == "0s")
  }

  @Test(arguments: [
    (#"\sx\s"#, " x "), (#"a\\b"#, #"a\b"#), (#"a\tb\nc\rd"#, "a\tb\nc\rd"), ("", ""), ("a=b=", "a=b="), ("ü", "ü"),
  ])
  func `escapes in a value are resolved`(written: String, meant: String) {
    #expect(read("[store]\nkey-file=\(written)").0.groups.first?.entries.first?.value == meant)
  }

  @Test func `a repeated key names both lines`() {
    #expect(
      problems("[store]\ndefault=x\n\ndefault=y") == ["a.conf:4: [store] default: is there twice, first in line 2"])
  }

  @Test func `a repeated group names both lines and its keys are left alone`() {
    #expect(problems("[store]\n[refresh]\n[store]\nx=1\nx=2") == ["a.conf:3: [store]: is there twice, first in line 1"])
  }

  @Test func `the same key in two groups is no repetition`() {
    #expect(problems("[issuer a]\nkind=openid\n[issuer b]\nkind=openid").isEmpty)
  }

  @Test(arguments: [
    ("key=value", "a.conf:1: only comments may stand before the first group"),
    ("[store]\nword", "a.conf:2: [store]: the line is no KEY=VALUE"),
    ("[store]\n=x", "a.conf:2: [store]: a key is made of a-z, 0-9 and -, and has no translations"),
    ("[store]\nname[de]=x", "a.conf:2: [store]: a key is made of a-z, 0-9 and -, and has no translations"),
    ("[store]\nKey=x", "a.conf:2: [store]: a key is made of a-z, 0-9 and -, and has no translations"),
    ("[store]\nx=a\\q", #"a.conf:2: [store] x: a backslash is followed by s, n, t, r or \"#),
    ("[store]\nx=a\\", #"a.conf:2: [store] x: a backslash is followed by s, n, t, r or \"#),
    ("[store", "a.conf:1: a group is [KIND] or [KIND NAME], NAME as accounts are named"),
    ("[]", "a.conf:1: a group is [KIND] or [KIND NAME], NAME as accounts are named"),
    ("[issuer a b]", "a.conf:1: a group is [KIND] or [KIND NAME], NAME as accounts are named"),
    ("[issuer  a]", "a.conf:1: a group is [KIND] or [KIND NAME], NAME as accounts are named"),
    ("[issuer ../x]", "a.conf:1: a group is [KIND] or [KIND NAME], NAME as accounts are named"),
    ("[store]\r\n", "a.conf:1: the line ends in a carriage return: save it with Unix line ends"),
    ("\u{FEFF}[store]", "a.conf:1: the file starts with a byte order mark: save it without one"),
    ("[store]\nx=a\u{0}b", "a.conf:2: the line has a control character"),
    ("[store]\nx=a\u{7F}b", "a.conf:2: the line has a control character"),
  ])
  func `what is no configuration gets its file, line and reason`(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func `a line that is not UTF-8 is refused`() {
    let bytes = Array("[store]\nx=".utf8) + [0xC3, 0x28]
    #expect(ConfigurationReader.read(bytes, file: "a.conf").1.map(\.description) == ["a.conf:2: the line is not UTF-8"])
  }

  @Test func `a line of exactly the limit is read`() {
    let line = "x=" + String(repeating: "a", count: ConfigurationReader.maximumLine - 2)
    #expect(problems("[store]\n" + line).isEmpty)
  }

  @Test func `a line over the limit is refused`() {
    let line = "x=" + String(repeating: "a", count: ConfigurationReader.maximumLine - 1)
    #expect(problems("[store]\n" + line) == ["a.conf:2: the line is longer than 4096 bytes"])
  }

  @Test func `a file of exactly the limit is read`() {
    let line = "#" + String(repeating: " ", count: 1022) + "\n"
    #expect(problems(String(repeating: line, count: 256)).isEmpty)
  }

  @Test func `a file over the limit is refused whole`() {
    let line = "#" + String(repeating: " ", count: 1022) + "\n"
    let said = problems(String(repeating: line, count: 256) + "#")
    #expect(said == ["a.conf: cannot be read: it is longer than 262144 bytes"])
  }

  @Test func `a file of garbage gives up after a few problems`() {
    #expect(problems(String(repeating: "garbage\n", count: 1000)).count == ConfigurationReader.maximumProblems)
  }

  @Test(arguments: [
    "s3cretS3cret=x", "[store]\ns3cretS3cret", "[store]\ns3cretS3cret=x", "[s3cretS3cret", "[issuer s3cretS3cret!]",
    "[store]\nx=s3cretS3cret\\q", "[store]\nx=1\nx=s3cretS3cret", "[store]\ns3cret-s3cret-s3cret-s3cret-s3cret=x",
  ])
  func `no problem repeats what may be a pasted secret`(text: String) {
    #expect(!problems(text).joined().lowercased().contains("s3cret"))
  }
}
