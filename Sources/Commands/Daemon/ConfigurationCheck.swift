/// What `almonerd --check-config` says.
struct ConfigurationCheck {
  let isSound: Bool
  let lines: [String]

  /// Whether new accounts go to the sealed file unless told otherwise.
  var keepsNewAccountsInFile: Bool { lines.contains("New accounts: store sealed-file.") }

  /// Milliseconds it may take; and the most that it may say, in bytes.
  private static let within: Int32 = 10_000
  private static let longest = 64 << 10

  /// Runs the daemon's program of our own directory. Throws when it is not there or does not get done.
  static func run(_ environment: Environment) throws(Failure) -> ConfigurationCheck {
    guard let path = SearchPath.sibling("almonerd") else {
      throw Failure(.failure, code: "not-installed", "almonerd is not installed beside almoner")
    }
    var program = Program(path, ["--check-config"], environment: DaemonEnvironment.entries(from: environment))
    do throws(LaunchError) {
      var pipe = try Pipe()
      program.output = pipe.inheritable
      let child = try program.start()
      pipe.closeWriting()
      let text = String(decoding: pipe.readAll(limit: longest, idle: within), as: UTF8.self)
      return ConfigurationCheck(
        isSound: child.end(within: within) == .exited(0), lines: text.split(separator: "\n").map(String.init))
    } catch {
      throw Failure(.failure, code: "config-check", "the configuration cannot be checked: \(path): \(error.words)")
    }
  }
}
