// Carries one HTTP exchange for the daemon that started it, whatever becomes of the daemon.
import Glibc

exit(Voyage.run(channel: 0) ? 0 : 1)
