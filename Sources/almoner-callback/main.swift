import Confinement
import Exchange
import Glibc

// Nothing that comes later may be seen by another process of the same user. The rest of the confinement follows as
// soon as the sockets are open, and before a byte of a stranger is read.
do throws(ConfinementError) {
  try Confinement.forbidDumps()
} catch {
  exit(1)
}
signal(SIGPIPE, SIG_IGN)
guard let channel = DaemonChannel(descriptor: 0) else {
  CallbackProgram.explain()
  exit(2)
}
guard let listen = channel.receiveListen() else { exit(2) }
exit(CallbackProgram.run(listen, channel))
