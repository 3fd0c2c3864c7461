import CLinux

/// What the system says about an error number.
enum SystemReason {
  static func words(_ number: Int32) -> String {
    guard let text = unsafe clinux_error_text(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
