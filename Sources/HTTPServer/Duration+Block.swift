import Glibc

extension Duration {
  /// Lets the calling thread stand still for this long (monotonic clock). Only for a thread that serves one connection.
  package func blockThread() {
    let parts = components
    var wanted = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
  }
}
