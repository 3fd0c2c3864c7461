/// Several documents as one: of a key that stands in more than one, the last document's value counts.
struct MergedGroups {
  struct Group {
    let name: GroupName
    /// Where it was seen last, in the file that counts most.
    var place: Place
    var entries: [String: ConfigurationDocument.Entry] = [:]
  }

  /// In the order in which their names first appear.
  private(set) var groups: [Group] = []

  init(_ documents: [ConfigurationDocument]) {
    for group in documents.flatMap(\.groups) {
      let index = groups.firstIndex { $0.name == group.name } ?? groups.endIndex
      if index == groups.endIndex { groups.append(Group(name: group.name, place: group.place)) }
      groups[index].place = group.place
      for entry in group.entries { groups[index].entries[entry.key] = entry }
    }
  }

  func readers(of kind: String) -> [GroupReader] {
    groups.filter { $0.name.kind == kind }.map { GroupReader($0.name, at: $0.place, $0.entries) }
  }
}
