/// Which groups and keys a file may have.
struct ConfigurationSchema: Sendable {
  enum Naming { case single, named }

  struct GroupRule: Sendable {
    let naming: Naming
    let keys: Set<String>

    init<Key: RawRepresentable<String> & CaseIterable>(_ naming: Naming, _: Key.Type, and more: [String] = []) {
      self.naming = naming
      keys = Set(Key.allCases.map(\.rawValue) + more)
    }
  }

  /// By the group's kind.
  let groups: [String: GroupRule]

  /// Every unknown group and key, in the order of the file.
  func problems(in document: ConfigurationDocument) -> [ConfigurationProblem] {
    document.groups.flatMap { group in
      guard let rule = groups[group.name.kind], (rule.naming == .named) == (group.name.label != nil) else {
        return [problem(at: group.place, in: group.name, .unknownGroup)]
      }
      return group.entries.filter { !rule.keys.contains($0.key) }.map {
        problem(at: $0.place, in: group.name, .unknownKey, key: $0.key)
      }
    }
  }

  private func problem(
    at place: Place, in group: GroupName, _ reason: ConfigurationProblem.Reason, key: String? = nil
  ) -> ConfigurationProblem {
    ConfigurationProblem(file: place.file, line: place.line, group: group, key: key, reason: reason)
  }
}
