import Glibc

/// Which of three descriptors there is something to do with.
enum Readiness {
  case first, second, third

  /// Waits until one is readable, or its other end is gone; the earlier one comes first. Those that are nil are left
  /// out. No limit: the one that always comes to an end is `first`.
  static func wait(for first: Int32, _ second: Int32?, _ third: Int32?) -> Readiness {
    // poll(2) passes over a negative descriptor.
    var waited = [first, second ?? -1, third ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var count: Int32
    repeat { count = unsafe poll(&waited, nfds_t(waited.count), -1) } while count < 0 && errno == EINTR
    let ready = waited.map { $0.revents != 0 }
    return ready[0] ? .first : ready[1] ? .second : ready[2] ? .third : .first
  }
}
