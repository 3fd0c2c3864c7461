import Glibc

do {
  let options = try SandboxOptions(CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    Output.answer(SandboxOptions.usage)
    exit(0)
  }
  try SandboxProgram.run(options)
} catch let mistake as UsageError {
  Output.complain("almoner-sandbox: \(mistake.reason)\n\n" + SandboxOptions.usage)
  exit(2)
} catch {
  Output.complain("almoner-sandbox: \(SandboxProgram.explain(error))\n")
  exit(1)
}
