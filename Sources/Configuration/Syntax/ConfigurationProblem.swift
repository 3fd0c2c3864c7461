/// What is wrong with a file, and where. Never holds a value: somebody may have pasted a secret there.
package struct ConfigurationProblem: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// The file could not be opened or read, or is not one we trust; the text says why.
    case unreadable(String)
    /// The line is not one of a group, a key and a comment; the text says what is odd.
    case badSyntax(String)
    case unknownGroup
    case unknownKey
    /// The group or key was there before, at this line.
    case repeated(line: Int)
    case missingKey
    /// The text says what is expected.
    case badValue(String)
  }

  package let file: String
  /// Counted from 1; nil when the whole file is meant.
  package let line: Int?
  package let group: GroupName?
  package let key: String?
  package let reason: Reason

  package init(file: String, line: Int? = nil, group: GroupName? = nil, key: String? = nil, reason: Reason) {
    self.file = file
    self.line = line
    self.group = group
    self.key = key
    self.reason = reason
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// `FILE:LINE: [GROUP] KEY: what is wrong`, on one line.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let subject = [group?.description, key].compactMap(\.self).joined(separator: " ")
    return subject.isEmpty ? "\(place): \(explanation)" : "\(place): \(subject): \(explanation)"
  }

  private var explanation: String {
    switch reason {
    case .unreadable(let why): "cannot be read: \(why)"
    case .badSyntax(let what): what
    case .unknownGroup: "there is no such group"
    case .unknownKey: "there is no such key"
    case .repeated(let line): "is there twice, first in line \(line)"
    case .missingKey: "is missing"
    case .badValue(let expectation): "must be \(expectation)"
    }
  }
}
