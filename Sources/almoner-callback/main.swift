import CLinux
import Exchange
import Glibc
import HTTPServer

// Nothing that comes later may be seen by another process of the same user, and nothing may be gained by an exec.
guard clinux_forbid_dumps() == 0, clinux_no_new_privileges() == 0 else { exit(1) }
signal(SIGPIPE, SIG_IGN)
guard let channel = DaemonChannel(descriptor: 0) else {
  CommandLine.explain(
    "almoner-callback waits for a browser on behalf of almonerd, which starts it. It does nothing else.\n")
  exit(2)
}
guard let listen = channel.receiveListen() else { exit(2) }
exit(CallbackProgram.run(listen, channel))
