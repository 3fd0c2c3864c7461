import Glibc

/// A file descriptor that is closed with its owner.
package struct OwnedDescriptor: ~Copyable {
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Waits at most `milliseconds` (-1: for ever) until something can be read or the other end is gone.
  package func isReadable(within milliseconds: Int32) -> Bool {
    var waited = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat { count = unsafe poll(&waited, 1, milliseconds) } while count < 0 && errno == EINTR
    return count > 0
  }
}
