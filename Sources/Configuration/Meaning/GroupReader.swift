/// Takes the values out of one group, key by key, and gathers what is wrong with them.
struct GroupReader {
  let name: GroupName
  let place: Place
  private let entries: [String: ConfigurationDocument.Entry]
  private(set) var problems: [ConfigurationProblem] = []

  init(_ name: GroupName, at place: Place, _ entries: [String: ConfigurationDocument.Entry]) {
    self.name = name
    self.place = place
    self.entries = entries
  }

  init(_ group: ConfigurationDocument.Group) {
    let entries = Dictionary(group.entries.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    self.init(group.name, at: group.place, entries)
  }

  func has(_ key: some RawRepresentable<String>) -> Bool { entries[key.rawValue] != nil }

  /// The key's value, or nil when it is absent or refused; the refusal becomes a problem.
  mutating func value<Value>(_ key: some RawRepresentable<String>, _ rule: ValueRule<Value>) -> Value? {
    guard let entry = entries[key.rawValue] else { return nil }
    if let value = rule.read(entry.value) { return value }
    refuse(key, .badValue(rule.expectation(for: entry.value)))
    return nil
  }

  /// Like ``value(_:_:)``, but an absent key is a problem too.
  mutating func required<Value>(_ key: some RawRepresentable<String>, _ rule: ValueRule<Value>) -> Value? {
    if !has(key) { refuse(key, .missingKey) }
    return value(key, rule)
  }

  /// Notes a problem with the key, at its own line or at the group's when it is absent.
  mutating func refuse(_ key: some RawRepresentable<String>, _ reason: ConfigurationProblem.Reason) {
    let place = entries[key.rawValue]?.place ?? place
    problems.append(
      ConfigurationProblem(file: place.file, line: place.line, group: name, key: key.rawValue, reason: reason))
  }

  /// Notes a problem with the group as such.
  mutating func refuse(_ reason: ConfigurationProblem.Reason) {
    problems.append(ConfigurationProblem(file: place.file, line: place.line, group: name, reason: reason))
  }
}
