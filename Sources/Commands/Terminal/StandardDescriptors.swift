import Glibc

/// The three descriptors that every program may count on.
package enum StandardDescriptors {
  /// Fills those that are closed, so that no socket takes the place of standard output. Each is filled so that using it
  /// fails: nothing can be read from the first, nothing written to the others.
  package static func open() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe Glibc.open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
