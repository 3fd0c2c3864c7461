/// What the command line asks of the daemon.
enum DaemonArguments: Equatable {
  case run(readyDescriptor: Int32?)
  case checkConfiguration
  case version
  case usage(String)

  static let help = """
    usage: almonerd [--ready-fd N]
           almonerd --check-config
           almonerd --version

    The per-user daemon of Almoner. `almoner` and systemd start it; see almonerd(8).
    """

  var readyDescriptor: Int32? {
    if case .run(let descriptor) = self { return descriptor }
    return nil
  }

  static func read(_ words: [String]) -> Self {
    switch Array(words.dropFirst()) {
    case []: return .run(readyDescriptor: nil)
    case ["--check-config"]: return .checkConfiguration
    case ["--version"]: return .version
    case let words where words.count == 2 && words[0] == "--ready-fd":
      guard let descriptor = Int32(words[1]), descriptor > 2 else { return .usage(help) }
      return .run(readyDescriptor: descriptor)
    default: return .usage(help)
    }
  }
}
