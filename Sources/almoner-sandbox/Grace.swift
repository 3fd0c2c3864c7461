/// What a spent refresh token may still do.
enum Grace: Equatable, Sendable {
  /// Nothing: it is reuse and ends the session.
  case none
  /// Be sent again within so many seconds of its first use.
  case seconds(Int)
  /// Be sent again until its successor is used.
  case untilUsed

  /// The words of `--grace`.
  init(_ text: String) throws(UsageError) {
    switch text {
    case "none": self = .none
    case "until-used": self = .untilUsed
    default:
      guard let seconds = Int(text), (0...86400).contains(seconds) else {
        throw UsageError("--grace needs none, a number of seconds up to 86400, or until-used")
      }
      self = seconds == 0 ? .none : .seconds(seconds)
    }
  }
}
