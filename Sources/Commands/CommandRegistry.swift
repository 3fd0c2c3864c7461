/// Every subcommand, in the order of the help.
package enum CommandRegistry {
  package static let all: [any Command.Type] = [
    LoginCommand.self,
    TokenCommand.self,
    StatusCommand.self,
    ListCommand.self,
    SessionCommand.self,
    IdentityCommand.self,
    RefreshCommand.self,
    StepUpCommand.self,
    MonitoringTokenCommand.self,
    ProofCommand.self,
    LogoutCommand.self,
    LockCommand.self,
    UnlockCommand.self,
    MonitorCommand.self,
    AssociationCheckCommand.self,
    RegisterCommand.self,
    RelayCommand.self,
    CallbackCommand.self,
    DoctorCommand.self,
    ConfigCheckCommand.self,
    VersionCommand.self,
  ]

  /// The command that `words` name, and the words after its name.
  package static func find(_ words: [String]) -> (command: any Command.Type, rest: [String])? {
    guard let first = words.first else { return nil }
    let pair = words.count > 1 ? "\(first) \(words[1])" : first
    for command in all {
      let name = command.syntax.name
      if name == first { return (command, Array(words.dropFirst())) }
      if name == pair { return (command, Array(words.dropFirst(2))) }
    }
    return nil
  }

  /// What `almoner --help` says.
  package static var help: String {
    let rows = all.map { ["  " + $0.syntax.name, $0.syntax.summary] }
    return """
      usage: almoner COMMAND [ACCOUNT] [OPTION]…

      Sign in once in your browser; then every program of yours gets fresh access tokens.

      \(Columns.aligned(rows))
      almoner COMMAND --help says more, and so does man almoner.

      """
  }
}
