/// What the files say now, and what is wrong with them. With problems the configuration lacks the broken files and groups.
package struct LoadedConfiguration: Equatable, Sendable {
  package let configuration: Configuration
  package let problems: [ConfigurationProblem]
  /// The files that were read, in the order in which they count.
  package let files: [String]

  /// Makes sense of files that were read, the later ones counting more, and all of them more than presets. Pure.
  package init(_ files: [ConfigurationFile], presets: [ConfigurationFile] = []) {
    let described = presets.map(ReadFile.init), written = files.map(ReadFile.init)
    let all = described + written
    let builder = ConfigurationBuilder(described.filter(\.isSound), written.filter(\.isSound))
    configuration = builder.configuration
    self.files = files.map(\.path)
    let faults = all.flatMap(\.faults)
    // A broken file counts for nothing, but what else is wrong with it is said at once.
    let further =
      faults.isEmpty ? [] : ConfigurationBuilder(described, written).problems.filter { !$0.follows(from: faults) }
    problems = faults + builder.problems + further.filter { !builder.problems.contains($0) }
  }
}

/// What a file says, and what is wrong with its lines.
private struct ReadFile {
  let document: ConfigurationDocument?
  /// In the order of the file.
  let faults: [ConfigurationProblem]

  var isSound: Bool { faults.isEmpty }

  init(_ file: ConfigurationFile) {
    switch file.content {
    case .failure(let problem): (document, faults) = (nil, [problem])
    case .success(let bytes):
      let (document, faults) = ConfigurationReader.read(bytes, file: file.path)
      let all = faults + ConfigurationSchema.configuration.problems(in: document)
      self.document = document
      self.faults = all.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
  }
}

extension ConfigurationBuilder {
  fileprivate init(_ described: [ReadFile], _ written: [ReadFile]) {
    let own = written.compactMap(\.document)
    self.init(
      MergedGroups(described.compactMap(\.document) + own), own: Set(own.flatMap { $0.groups.map(\.name) }))
  }
}

extension ConfigurationProblem {
  /// Whether it may be there only because a line of the same group could not be read, or its key not be told.
  fileprivate func follows(from faults: [ConfigurationProblem]) -> Bool {
    reason == .missingKey && faults.contains { $0.group == nil || $0.group == group }
  }
}

/// One file of the search path that is there: its bytes, or why they could not be had.
package struct ConfigurationFile: Equatable, Sendable {
  package let path: String
  package let content: Result<[UInt8], ConfigurationProblem>

  package init(path: String, content: Result<[UInt8], ConfigurationProblem>) {
    self.path = path
    self.content = content
  }
}
