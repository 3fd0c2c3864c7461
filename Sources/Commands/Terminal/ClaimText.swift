import Wire

/// Claims as a person reads them.
enum ClaimText {
  /// One line a claim.
  static func lines(_ claims: [Wire.Claim]) -> String {
    Columns.aligned(claims.map { [PlainText.line($0.name), PlainText.line($0.value)] })
  }

  /// The person in a few words: name and address, or what there is, or the subject identifier.
  static func person(_ claims: [Wire.Claim], subject: String?) -> String {
    let (name, email) = (value("name", claims), value("email", claims))
    return switch (name, email) {
    case (let name?, let email?): "\(name) <\(email)>"
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): self.subject(subject ?? "")
    }
  }

  /// The subject identifier, or words for where the issuer has none.
  static func subject(_ subject: String) -> String {
    subject.isEmpty ? "somebody whom the issuer does not name" : PlainText.line(subject)
  }

  private static func value(_ name: String, _ claims: [Wire.Claim]) -> String? {
    claims.first { $0.name == name && !$0.value.isEmpty }.map { PlainText.line($0.value) }
  }
}
