import JSON

/// `almoner doctor`: looks for what keeps Almoner from working. Starts nothing, changes nothing.
struct DoctorCommand: Command {
  static let syntax = CommandSyntax("doctor", "Look for what keeps Almoner from working")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
    let findings = Diagnosis(context).findings()
    let isWell = findings.allSatisfy(\.isWell)
    if context.wantsJSON {
      try context.answer { writer in
        writer.member("ok", isWell)
        writer.member("findings", array: { writer in for finding in findings { finding.write(to: &writer) } })
      }
    } else {
      for finding in findings { try context.console.answer(finding.line) }
      try context.console.answer(isWell ? "Nothing needs attention.\n" : "Something needs attention.\n")
    }
    return isWell ? .ok : .failure
  }
}
