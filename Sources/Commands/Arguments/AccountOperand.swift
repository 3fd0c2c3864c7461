import Wire

/// The operand `ACCOUNT`: a name, an id, or an issuer's URL. Which account it names, the daemon decides.
enum AccountOperand {
  static let name = "ACCOUNT"

  static func read(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let text = arguments.operand else { return nil }
    guard text.utf8.count <= Wire.Limit.text else { throw UsageError("\(name) is too long") }
    return text
  }
}

/// How long a command waits for the daemon.
enum TimeoutOption {
  /// Seconds, unless `--timeout` says otherwise.
  static let standard = 30
  static let option = Option(
    seconds: "--timeout", in: Int(Wire.Limit.timeout.lowerBound)...Int(Wire.Limit.timeout.upperBound),
    "how long to wait at most (30s)")

  /// Seconds that the answer may take: the daemon itself keeps to `seconds`, and says why it gave up.
  static func grace(over seconds: Int) -> Int { seconds + 5 }
}
