import CCurl
import Time

/// A date as HTTP writes it (RFC 9110 §5.6.7).
enum HTTPDate {
  /// Nil when it cannot be read.
  static func parse(_ text: String) -> WallInstant? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : WallInstant(seconds: Int64(seconds))
  }
}
