/// What the files say now, and what is wrong with them. With problems the configuration lacks the broken files and groups.
package struct LoadedConfiguration: Equatable, Sendable {
  package let configuration: Configuration
  package let problems: [ConfigurationProblem]
  /// The files that were read, in the order in which they count.
  package let files: [String]

  /// Makes sense of files that were read, the later ones counting more, and all of them more than presets. Pure.
  package init(_ files: [ConfigurationFile], presets: [ConfigurationFile] = []) {
    var problems: [ConfigurationProblem] = []
    let described = Self.documents(presets, &problems)
    let written = Self.documents(files, &problems)
    let builder = ConfigurationBuilder(
      MergedGroups(described + written), own: Set(written.flatMap { $0.groups.map(\.name) }))
    configuration = builder.configuration
    self.problems = problems + builder.problems
    self.files = files.map(\.path)
  }

  /// The files that can be read without a problem.
  private static func documents(
    _ files: [ConfigurationFile], _ problems: inout [ConfigurationProblem]
  ) -> [ConfigurationDocument] {
    var sound: [ConfigurationDocument] = []
    for file in files {
      switch file.content {
      case .failure(let problem): problems.append(problem)
      case .success(let bytes):
        let (document, faults) = ConfigurationReader.read(bytes, file: file.path)
        let all = faults + ConfigurationSchema.configuration.problems(in: document)
        if all.isEmpty { sound.append(document) }
        problems += all.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
      }
    }
    return sound
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
