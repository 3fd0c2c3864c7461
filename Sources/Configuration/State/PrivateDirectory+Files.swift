import Glibc

extension PrivateDirectory {
  /// The bytes of a file, or nil when there is none. Reads one byte more than `limit`, so that too much is noticed.
  ///
  /// Refuses what is no regular file, is not ours, or may be read or written by others.
  func readFile(_ name: String, upTo limit: Int) throws(StateError) -> [UInt8]? {
    let outcome: Result<[UInt8], StateError>
    do throws(SystemFailure) {
      outcome = try reading(name, upTo: limit)
    } catch {
      if error.isAbsence { return nil }
      throw failure(error, name)
    }
    return try outcome.get()
  }

  /// Replaces a file whole. After it returns the new content survives a power cut; when it throws, the old one stands,
  /// or the new one without that promise.
  func replaceFile(_ name: String, with bytes: [UInt8]) throws(StateError) {
    try check()
    let temporary = Self.temporary(name)
    removeTemporary(of: name)
    do throws(SystemFailure) {
      try writeNew(temporary, bytes)
      guard unsafe renameat(descriptor, temporary, descriptor, name) == 0 else { throw SystemFailure() }
      try synchronize()
    } catch {
      unsafe unlinkat(descriptor, temporary, 0)
      throw failure(error, name)
    }
  }

  /// Removes what a crash left of replacing a file. One daemon per directory: nobody is at it now.
  func removeTemporary(of name: String) { unsafe unlinkat(descriptor, Self.temporary(name), 0) }

  private static func temporary(_ name: String) -> String { ".\(name).new" }

  /// Overwrites parts of a file in place, durable when it returns. Needs no room on the disk.
  func overwrite(_ name: String, _ parts: [(offset: Int, bytes: [UInt8])]) throws(StateError) {
    try check()
    do throws(SystemFailure) {
      let file = try FileDescriptor(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, in: descriptor)
      for part in parts { try file.overwrite(part.bytes, at: part.offset) }
      try file.synchronize()
    } catch {
      throw failure(error, name)
    }
  }

  /// Removes a file. Nothing there is no error.
  func removeFile(_ name: String) throws(StateError) {
    try check()
    do throws(SystemFailure) {
      guard unsafe unlinkat(descriptor, name, 0) == 0 else {
        if errno == ENOENT { return }
        throw SystemFailure()
      }
      try synchronize()
    } catch {
      throw failure(error, name)
    }
  }

  /// Gives a file a second name `NAME.damaged-N` and returns it, so that replacing the file keeps this content.
  ///
  /// A file that has such a name already gets no other one.
  func keepDamaged(_ name: String) throws(StateError) -> String {
    do throws(SystemFailure) {
      let identity = try FileStatus(named: name, in: descriptor).identity
      for number in 1...Self.mostDamaged {
        let copy = "\(name).damaged-\(number)"
        if unsafe linkat(descriptor, name, descriptor, copy, 0) == 0 {
          try synchronize()
          return copy
        }
        guard errno == EEXIST else { throw SystemFailure() }
        if try FileStatus(named: copy, in: descriptor).identity == identity { return copy }
      }
    } catch {
      throw failure(error, name)
    }
    throw .storage(
      path: "\(path)/\(name)", why: "it is damaged, and \(Self.mostDamaged) damaged copies are kept already")
  }

  /// More damage than this is a broken disk, and no reason to fill it.
  private static let mostDamaged = 9

  private func reading(_ name: String, upTo limit: Int) throws(SystemFailure) -> Result<[UInt8], StateError> {
    let file = try FileDescriptor(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: descriptor)
    if let why = Self.distrust(of: try FileStatus(of: file.number)) {
      return .failure(.untrusted(path: "\(path)/\(name)", why: why))
    }
    return .success(try file.read(upTo: limit))
  }

  private func writeNew(_ name: String, _ bytes: [UInt8]) throws(SystemFailure) {
    let file = try FileDescriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, in: descriptor)
    try file.write(bytes)
    try file.synchronize()
  }

  private func synchronize() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw SystemFailure() }
  }

  private static func distrust(of status: FileStatus) -> String? {
    if !status.isRegular { return "it is no regular file" }
    if status.owner != geteuid() { return "it belongs to another user" }
    return status.permissions & 0o077 == 0 ? nil : "others may open it: its mode must be 0600"
  }

  private func failure(_ failure: SystemFailure, _ name: String) -> StateError {
    let path = "\(path)/\(name)"
    if failure.code == ELOOP { return .untrusted(path: path, why: "it is a symbolic link") }
    return .storage(path: path, why: failure.description)
  }
}
