/// Why a command did not do what it was asked: what a person needs to go on, and the status a script needs.
package struct Failure: Error, Equatable, Sendable {
  package let status: ExitStatus
  /// A stable word for programs: the error's name in the protocol, in lower case with hyphens.
  package let code: String
  /// The account it is about, when it is about one.
  package let account: String?
  /// What happened, in words. Never holds a secret; it may hold text of a peer and is cleaned before it is shown.
  package let message: String
  /// Whether the same command may succeed later without anything being done about it.
  package let isTemporary: Bool
  /// The one command that helps, when one does.
  package let help: String?

  package init(
    _ status: ExitStatus, code: String, account: String? = nil, _ message: String, isTemporary: Bool = false,
    help: String? = nil
  ) {
    self.status = status
    self.code = code
    self.account = account
    self.message = message
    self.isTemporary = isTemporary
    self.help = help.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Failure {
  /// The words for standard error.
  package var report: String {
    let subject = account.map { "almoner: \($0): " } ?? "almoner: "
    var advice: [String] = []
    if isTemporary { advice.append("This is temporary.") }
    if let help { advice.append("Try: \(help)") }
    return ([subject + message] + (advice.isEmpty ? [] : ["  " + advice.joined(separator: " ")])).joined(
      separator: "\n")
  }
}
