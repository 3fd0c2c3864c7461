import Glibc
import Time

/// `/proc/sys/kernel/random/boot_id`: a UUID and a newline.
enum BootFile {
  struct Unreadable: Error {}

  static func read() throws(Unreadable) -> BootID {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable() }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = unsafe text.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    let digits = String(decoding: text.prefix(max(0, count)).filter { $0 != 0x2d && $0 != 0x0a }, as: UTF8.self)
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { throw Unreadable() }
    return BootID(high: high, low: low)
  }
}
