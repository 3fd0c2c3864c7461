/// One file as it was written: groups of keys and values, each with its line. What they mean is not looked at yet.
package struct ConfigurationDocument: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let key: String
    /// With its escapes resolved.
    package let value: String
    package let place: Place
  }

  package struct Group: Equatable, Sendable {
    package let name: GroupName
    package let place: Place
    package internal(set) var entries: [Entry] = []
  }

  /// The name by which problems call it.
  package let file: String
  package internal(set) var groups: [Group] = []
}

/// Where something stands, for whoever has to mend it.
package struct Place: Equatable, Sendable {
  package let file: String
  package let line: Int
}
