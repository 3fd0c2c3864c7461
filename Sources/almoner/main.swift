import Commands
import Glibc

StandardDescriptors.open()
let environment = Environment.ofThisProcess()
let tool = CommandLineTool(
  console: Console(environment: environment), environment: environment, daemon: DaemonDoor(environment),
  handedURL: .ofThisProcess())
exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
