import Exchange
import Vault

/// `accounts.conf` as text and back. Pure.
package enum AccountIndexFormat {
  /// Raised when an older version could misread the file.
  static let version = 1
  /// The longest file, in bytes: some nine thousand accounts as they usually are.
  static let maximumFile = 4 << 20

  package static func encode(_ index: AccountIndex) -> [UInt8] {
    var lines = [
      "# Written by almonerd. Use almoner login and almoner logout to change it.", "[index]", "version=\(version)",
    ]
    for entry in index.entries {
      lines += ["", "[account \(entry.account.id)]"]
      lines += values(of: entry).map { key, value in "\(key.rawValue)=\(ValueEscapes.escape(value))" }
      lines += entry.account.issuer.options.written.map { key, value in "\(key)=\(ValueEscapes.escape(value))" }
    }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func values(of entry: AccountEntry) -> [(IndexAccountKey, String)] {
    let account = entry.account
    let issuer = account.issuer
    let optional: [(IndexAccountKey, String?)] = [
      (.renews, entry.renews?.text), (.clientID, issuer.clientID), (.redirectURI, account.redirectURI),
      (.caFile, issuer.egress.caFile), (.proxy, issuer.egress.proxy),
    ]
    return [
      (.name, account.name), (.standing, entry.phase.rawValue), (.kind, issuer.kind),
      (.issuer, issuer.identifier), (.issuerName, issuer.name), (.environment, issuer.environment.rawValue),
      (.scopes, account.scopes.joined(separator: " ")), (.store, account.backend.rawValue),
      (.grace, RotationKeys.write(issuer.rotation.grace)), (.oracle, issuer.rotation.oracle.rawValue),
      (.reuseBlast, issuer.rotation.reuseBlast.rawValue),
    ] + optional.compactMap { key, value in value.map { (key, $0) } }
  }

  /// What a file says. With problems the index lacks the broken accounts; nil when a newer version wrote the file.
  package static func decode(_ bytes: [UInt8], file: String) -> (index: AccountIndex, problems: [ConfigurationProblem])?
  {
    let (document, faults) = ConfigurationReader.read(bytes, file: file, limit: maximumFile)
    var index = AccountIndex()
    var problems = faults
    if let newer = readVersion(document, &problems), newer { return nil }
    problems += ConfigurationSchema.accountIndex.problems(in: document)
    // One account of each issuer: the others of that issuer share what they have in common with it.
    var first: [String: Account] = [:]
    for group in document.groups where group.name.kind == "account" {
      var reader = GroupReader(group)
      if var entry = entry(from: &reader), reader.problems.isEmpty {
        let issuer = entry.account.issuer.identifier
        if let first = first[issuer] { entry.account = entry.account.sharing(with: first) }
        first[issuer] = first[issuer] ?? entry.account
        add(entry, to: &index, &reader)
      }
      problems += reader.problems
    }
    return (index, problems)
  }

  /// Whether a newer version wrote it; nil, and a problem, when it does not say.
  private static func readVersion(_ document: ConfigurationDocument, _ problems: inout [ConfigurationProblem]) -> Bool?
  {
    guard let group = document.groups.first(where: { $0.name.kind == "index" }) else {
      problems.append(ConfigurationProblem(file: document.file, reason: .badSyntax("the group [index] is missing")))
      return nil
    }
    var reader = GroupReader(group)
    let found = reader.required(IndexKey.version, .formatVersion)
    problems += reader.problems
    return found.map { $0 > version }
  }

  private static func entry(from group: inout GroupReader) -> AccountEntry? {
    let name = group.required(IndexAccountKey.name, .accountName)
    let phase: AccountEntry.Phase? = group.required(IndexAccountKey.standing, .choice)
    let renews = group.value(IndexAccountKey.renews, .accountID)
    let store: StoreBackend? = group.required(IndexAccountKey.store, .choice)
    let redirectURI = group.value(IndexAccountKey.redirectURI, .redirectURI)
    let scopes = group.value(IndexAccountKey.scopes, .scopes) ?? []
    let issuer = issuer(from: &group)
    guard let label = group.name.label, let id = AccountID(label) else {
      group.refuse(.badSyntax("an account's group is [account ID], ID 32 lower-case hexadecimal digits"))
      return nil
    }
    guard let name, let phase, let store, let issuer else { return nil }
    let account = Account(
      id: id, name: name, issuer: issuer, backend: store, redirectURI: redirectURI, scopes: scopes)
    return AccountEntry(account: account, phase: phase, renews: renews)
  }

  private static func issuer(from group: inout GroupReader) -> IssuerProfile? {
    let name = group.required(IndexAccountKey.issuerName, .issuerLabel)
    let kind = group.required(IndexAccountKey.kind, .kind)
    let address = group.required(IndexAccountKey.issuer, .issuer)
    let environment = group.required(IndexAccountKey.environment, .environment)
    let clientID = group.value(IndexAccountKey.clientID, .clientID)
    let caFile = group.value(IndexAccountKey.caFile, .absolutePath)
    let proxy = group.value(IndexAccountKey.proxy, .proxy)
    guard let name, let kind, let address, let environment else { return nil }
    if address.isPlain && environment == .live {
      group.refuse(IndexAccountKey.environment, .badValue("sandbox with a plain http issuer"))
    }
    let rotation = RotationKeys.read(
      from: &group, grace: IndexAccountKey.grace, oracle: .oracle, reuseBlast: .reuseBlast, over: kind.rotation)
    let options = IssuerOptions(from: &group, of: kind)
    return IssuerProfile(
      name: name, kind: kind.name, identifier: address.identifier, environment: environment, clientID: clientID,
      egress: EgressPolicy(caFile: caFile, proxy: proxy, plainLoopback: address.isPlain), rotation: rotation,
      options: options)
  }

  private static func add(
    _ entry: AccountEntry, to index: inout AccountIndex, _ reader: inout GroupReader
  ) {
    do throws(StateError) {
      try index.put(entry)
    } catch {
      reader.refuse(IndexAccountKey.name, .badValue("that of no other signed-in account"))
    }
  }
}

extension ValueRule where Value == Int {
  static let formatVersion = Self(
    expectation: "a format version, 1 or more",
    read: { text in Int(text).flatMap { $0 > 0 && String($0) == text ? $0 : nil } })
}

extension ValueRule where Value == AccountID {
  static let accountID = Self(expectation: "32 lower-case hexadecimal digits", read: AccountID.init)
}

extension ValueRule where Value == IssuerProfile.Environment {
  static let environment = Self(expectation: "live or sandbox", read: IssuerProfile.Environment.init(rawValue:))
}

extension ValueRule where Value == String {
  /// The configuration's name of an issuer, or its host with or without a port.
  static let issuerLabel = Self(
    expectation: "1 to 255 printable ASCII characters without spaces",
    read: { (1...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil })
}
