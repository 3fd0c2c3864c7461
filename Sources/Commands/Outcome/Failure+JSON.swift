import JSON

extension Console {
  /// Tells a program why, as one JSON object on a line of standard error.
  func note(_ failure: Failure) {
    note(
      JSONAnswer.line { writer in
        writer.member("error", failure.code)
        writer.member("account", failure.account)
        writer.member("message", failure.message)
        writer.member("temporary", failure.isTemporary)
        writer.member("help", failure.help)
        writer.member("status", Int64(failure.status.rawValue))
      })
  }
}
