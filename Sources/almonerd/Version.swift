/// The version of all programs that are built together.
enum Version {
  static let text = "0.1.0"
}
