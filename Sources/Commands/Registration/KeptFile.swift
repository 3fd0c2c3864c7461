import Glibc
import Secrets

/// A file that will hold something secret: new, mode 0600, and there before the secret is, so that nothing is asked for that
/// could not be kept. It goes again with its owner unless something was put into it.
struct KeptFile: ~Copyable {
  /// Where it is: an absolute path.
  let path: String
  private let descriptor: Int32
  private var isKept = false

  /// Makes the file. Throws when there is one already, or a link, at `path`; `option` is who gave it.
  init(_ path: String, of option: String) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(.failure, code: "storage", "\(option): the file cannot be made: \(SystemReason.words(errno))")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    if !isKept { unsafe unlink(path) }
  }

  /// `path` from the root, as a program that was started elsewhere finds it.
  static func absolute(_ path: String, of option: String) throws(Failure) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = unsafe getcwd(nil, 0) else {
      throw Failure(.failure, code: "storage", "\(option): \(SystemReason.words(errno))")
    }
    defer { unsafe free(current) }
    return unsafe String(cString: current) + "/" + path
  }

  /// Puts `contents`, which are of a registered client, into it; durable when it returns.
  mutating func keep(_ contents: borrowing WipedBuffer, of client: String) throws(Failure) {
    guard write(contents), fsync(descriptor) == 0, Self.sync(directoryOf: path) else {
      let why = SystemReason.words(errno)
      throw Failure(
        .failure, code: "storage",
        "the client \(PlainText.line(client)) is registered, but what is secret of it could not be written to \(path), and "
          + "is lost: \(why)")
    }
    isKept = true
  }

  private func write(_ contents: borrowing WipedBuffer) -> Bool {
    unsafe contents.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
      }
      return true
    }
  }

  private static func sync(directoryOf path: String) -> Bool {
    let parent = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let directory = unsafe open(String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return false }
    defer { close(directory) }
    return fsync(directory) == 0
  }
}
