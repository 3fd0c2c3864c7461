import Glibc

/// The configuration files of this machine and person. Blocks on the disk: call it on the storage thread or before the loop.
package struct ConfigurationFiles: Sendable {
  /// The most files taken from one `almoner.conf.d`.
  package static let maximumFragments = 64
  /// The most directories that are looked through for presets.
  static let maximumPresetDirectories = 16

  /// Directories with an `almoner.conf` and an `almoner.conf.d`, the later ones counting more.
  private let directories: [String]
  /// Directories with one file for each issuer that is described there, the later ones counting more.
  private let presets: [String]

  package init(system: String = "/etc/almoner", _ base: BaseDirectories) {
    directories = [system, base.configuration + "/almoner"]
    presets = base.data.prefix(Self.maximumPresetDirectories).reversed().map { $0 + "/almoner/presets" }
  }

  /// Reads everything that is there and makes sense of it. What is not there is no problem.
  package func load() -> LoadedConfiguration {
    LoadedConfiguration(directories.flatMap(files), presets: presets.flatMap(fragments))
  }

  private func files(in directory: String) -> [ConfigurationFile] {
    ["\(directory)/almoner.conf"].compactMap(Self.file) + fragments(in: "\(directory)/almoner.conf.d")
  }

  /// Every `*.conf` of a directory.
  private func fragments(in directory: String) -> [ConfigurationFile] {
    do throws(SystemFailure) {
      let names = try Self.names(in: directory).filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
      let excess = names.count > Self.maximumFragments ? [Self.tooMany(directory)] : []
      return names.prefix(Self.maximumFragments).compactMap { Self.file(at: "\(directory)/\($0)") } + excess
    } catch {
      return [Self.refused(directory, error.description)]
    }
  }

  /// The names in a directory, sorted by their bytes; none when there is no such directory.
  private static func names(in directory: String) throws(SystemFailure) -> [String] {
    guard let stream = unsafe opendir(directory) else {
      let failure = SystemFailure()
      if failure.isAbsence { return [] }
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func file(at path: String) -> ConfigurationFile? {
    do throws(SystemFailure) {
      // Not blocking, so that a FIFO cannot hold us. Symbolic links are followed: people keep their configuration in
      // one repository. What counts is what was opened, and whose it is.
      let descriptor = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
      let status = try FileStatus(of: descriptor.number)
      if let distrust = distrust(of: status) { return refused(path, distrust) }
      return ConfigurationFile(
        path: path, content: .success(try descriptor.read(upTo: ConfigurationReader.maximumFile)))
    } catch {
      return error.isAbsence ? nil : refused(path, error.description)
    }
  }

  /// A file names proxies and certificate authorities: nobody else may write it.
  private static func distrust(of status: FileStatus) -> String? {
    if !status.isRegular { return "it is no regular file" }
    if status.owner != 0 && status.owner != geteuid() { return "it belongs to another user" }
    return status.permissions & 0o022 == 0 ? nil : "others may write it"
  }

  private static func refused(_ path: String, _ why: String) -> ConfigurationFile {
    ConfigurationFile(path: path, content: .failure(ConfigurationProblem(file: path, reason: .unreadable(why))))
  }

  private static func tooMany(_ directory: String) -> ConfigurationFile {
    refused(directory, "it has more than \(maximumFragments) files; the others are left out")
  }
}
