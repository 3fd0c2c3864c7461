import Glibc

/// Instants as people read them.
package enum InstantText {
  /// `2026-11-30 14:13:36 +0100`, in the time zone of this process. Nil for what is beyond the year 9999 or before 1970.
  package static func local(_ secondsSince1970: Int64) -> String? {
    guard (0...253_402_300_799).contains(secondsSince1970) else { return nil }
    var instant = time_t(secondsSince1970)
    var parts = unsafe tm()
    guard unsafe localtime_r(&instant, &parts) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M:%S %z", &parts)
    return count > 0 ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
