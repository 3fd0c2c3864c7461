import Wire

/// Claims as a person reads them.
enum ClaimText {
  /// One line a claim.
  static func lines(_ claims: [Wire.Claim]) -> String {
    Columns.aligned(claims.map { [PlainText.line($0.name), readable($0)] })
  }

  /// Claims that are seconds since 1970: NumericDate (RFC 7519 §2), and what session resources call theirs.
  private static let instants: Set<String> = ["exp", "iat", "auth_time", "updated_at", "expires_at", "created_at"]

  private static func readable(_ claim: Wire.Claim) -> String {
    guard instants.contains(claim.name), let seconds = Int64(claim.value), let text = InstantText.local(seconds) else {
      return PlainText.line(claim.value)
    }
    return text
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
