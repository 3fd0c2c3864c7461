import CLinux
import CrashPoints
import Glibc

// Read top to bottom: what is done to this process before it holds anything.
umask(0o077)
signal(SIGPIPE, SIG_IGN)
#if FAULTS
  if CommandLine.arguments.dropFirst() == ["--crash-points"] {
    Report.print(CrashPoint.allCases.map { "\($0)\n" }.joined(), status: 0)
  }
#endif
let arguments = DaemonArguments.read(CommandLine.arguments)
if case .usage(let text) = arguments { Report.fail(text, status: 2) }
if case .version = arguments { Report.print("almonerd \(Version.text)\n", status: 0) }
let environment = DaemonEnvironment.take()
if case .checkConfiguration = arguments { CheckConfiguration.run(environment) }
guard clinux_forbid_dumps() == 0, clinux_no_new_privileges() == 0 else {
  Report.fail("the kernel refuses to protect this process's memory", status: 1)
}
do {
  let daemon = try Daemon(environment, readyDescriptor: arguments.readyDescriptor)
  daemon.run()
} catch {
  Report.fail(error.text, status: error.status)
}
