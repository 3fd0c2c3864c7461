/// An option that a command accepts, and how its text becomes a `Value`.
package struct Option<Value: Sendable>: Sendable {
  package let declaration: OptionDeclaration
  let read: @Sendable (String) throws(UsageError) -> Value

  /// An option that takes a value, called `placeholder` in the help.
  package init(
    _ name: String, _ placeholder: String, _ help: String, repeats: Bool = false,
    read: @escaping @Sendable (String) throws(UsageError) -> Value
  ) {
    declaration = OptionDeclaration(name: name, placeholder: placeholder, repeats: repeats, help: help)
    self.read = read
  }
}

extension Option where Value == Bool {
  /// An option that is given or not.
  package init(flag name: String, _ help: String) {
    declaration = OptionDeclaration(name: name, placeholder: nil, repeats: false, help: help)
    read = { (_) throws(UsageError) in true }
  }
}

extension Option where Value == String {
  /// An option whose value is taken as it is; it must not be empty.
  package init(text name: String, _ placeholder: String, _ help: String, repeats: Bool = false) {
    self.init(name, placeholder, help, repeats: repeats) { (text) throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("\(name) needs a value") }
      return text
    }
  }
}

extension Option where Value == Int {
  /// An option in whole seconds, written as `90s 5m 2h 1d` or a bare number.
  package init(seconds name: String, in range: ClosedRange<Int>, _ help: String) {
    self.init(name, "DURATION", help) { (text) throws(UsageError) in
      guard let seconds = DurationText.seconds(text) else {
        throw UsageError("\(name) needs a duration such as 90s, 5m, 2h or 1d")
      }
      guard range.contains(seconds) else {
        let least = DurationText.words(range.lowerBound), most = DurationText.words(range.upperBound)
        throw UsageError("\(name) must be from \(least) to \(most)")
      }
      return seconds
    }
  }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// An option whose value is one of a few words.
  package init(choice name: String, _ placeholder: String, _ help: String) {
    self.init(name, placeholder, help) { (text) throws(UsageError) in
      guard let value = Value(rawValue: text) else {
        throw UsageError("\(name) must be \(Value.allCases.map(\.rawValue).joined(separator: " or "))")
      }
      return value
    }
  }
}
