import CLinux
import Glibc
package import Time

/// The kernel's clocks, with sleeps on the loop's one timer.
package struct KernelClock: Clock {
  package let bootID: BootID
  private let loop: EventLoop

  /// Reads the boot's name once. Throws ``SystemError`` when /proc does not give it.
  package init(_ loop: EventLoop) throws(SystemError) {
    self.loop = loop
    bootID = try Self.readBootID()
  }

  package var now: BootInstant { loop.now }
  package var wall: WallInstant { WallInstant(seconds: clinux_wall_seconds()) }

  package func sleep(until instant: BootInstant) async throws(CancellationError) {
    try await loop.sleep(until: instant)
  }

  /// `/proc/sys/kernel/random/boot_id`: a UUID of 36 characters and a newline.
  private static func readBootID() throws(SystemError) -> BootID {
    let path = "/proc/sys/kernel/random/boot_id"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open \(path)") }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = unsafe text.withUnsafeMutableBytes { room in unsafe read(descriptor, room.baseAddress, room.count) }
    let digits = String(decoding: text.prefix(max(0, count)).filter { $0 != 0x2d && $0 != 0x0a }, as: UTF8.self)
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { throw SystemError("read \(path)", EINVAL) }
    return BootID(high: high, low: low)
  }
}
