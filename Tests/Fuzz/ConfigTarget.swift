import Configuration
import Exchange
import Vault

extension FuzzTarget {
  /// Configuration files, two of them when a NUL parts them: problems name a file, a line and a key, and never repeat a
  /// value; what is sound can be written to the index of accounts and read back.
  static let config = FuzzTarget(name: "config") { bytes in
    check(bytes)
    // The same again with a word in every value that no rule, key or message of ours has in it.
    let marked = bytes.split(separator: lineFeed, omittingEmptySubsequences: false).map(mark)
    for text in check(Array(marked.joined(separator: [lineFeed]))) {
      require(!text.contains(sentinel), "no problem repeats a value")
    }
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let sentinel = "Zq7PASTEDSECRETx9"

  /// A line with the sentinel behind its equals sign, or at its end. A header keeps its own words: it may be named.
  private static func mark(_ line: ArraySlice<UInt8>) -> [UInt8] {
    if line.drop(while: { $0 == 0x20 || $0 == 0x09 }).first == UInt8(ascii: "[") { return Array(line) }
    let place = line.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? line.endIndex
    return line[..<place] + Array(sentinel.utf8) + line[place...]
  }

  /// Loads the files and returns every text that would be shown.
  @discardableResult private static func check(_ bytes: [UInt8]) -> [String] {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let files = parts.enumerated().map { ConfigurationFile(path: "file\($0)", content: .success($1)) }
    let loaded = LoadedConfiguration(files)
    for problem in loaded.problems {
      guard let index = files.firstIndex(where: { $0.path == problem.file }) else {
        require(false, "a problem names its file")
        continue
      }
      let lines = parts[index].count { $0 == lineFeed } + 1
      require(problem.line.map { (1...lines).contains($0) } ?? true, "a problem names a line that there is")
      require(!problem.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }, "it is one line")
      require(problem.description.utf8.count < 400, "it is short")
    }
    require(loaded.problems.count <= 3 * 21 + 2 * parts.reduce(0) { $0 + $1.count }, "they are not without number")
    checkIndex(loaded.configuration)
    let check = ConfigurationCheck(loaded)
    require(check.isSound == loaded.problems.isEmpty, "it is sound without problems")
    return loaded.problems.map(\.description) + (check.isSound ? [] : [check.report])
  }

  /// Every issuer that was read, as an account of the index that the daemon writes.
  private static func checkIndex(_ configuration: Configuration) {
    var index = AccountIndex()
    for (number, issuer) in configuration.issuers.values.sorted(by: { $0.profile.name < $1.profile.name }).enumerated()
    {
      let digits = String(number, radix: 16)
      guard let id = AccountID(String(repeating: "0", count: 32 - digits.count) + digits) else { continue }
      let account = Account(
        id: id, name: "account\(number)", issuer: issuer.profile, backend: configuration.store.backend,
        redirectURI: issuer.redirectURI, scopes: issuer.scopes)
      do throws(StateError) { try index.put(AccountEntry(account: account, phase: .signedIn)) } catch {
        require(false, "an account of a name of its own can be added")
      }
    }
    guard let read = AccountIndexFormat.decode(AccountIndexFormat.encode(index), file: "accounts.conf") else {
      return require(false, "the index is of our own version")
    }
    require(read.problems.isEmpty && read.index == index, "an index is read as it was written")
  }
}
