import Glibc

extension Console {
  /// Waits until there is something to read from `descriptor`, or its other end is gone.
  ///
  /// Returns false as soon as nobody is left to read standard output: what ends a pipe ends also who writes rarely.
  package func waits(for descriptor: Int32) -> Bool {
    // No event of the output is asked for; that it broke, or was hung up on, is always told.
    var watched = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0),
    ]
    var count: Int32
    repeat { count = unsafe poll(&watched, nfds_t(watched.count), -1) } while count < 0 && errno == EINTR
    return watched[1].revents == 0
  }
}
