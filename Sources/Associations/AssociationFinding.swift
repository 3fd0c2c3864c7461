package import Exchange

/// What became of one fetch.
package enum AssociationFinding: Equatable, Sendable {
  case file(AssociationFile)
  /// The site is there and has no such file: it lists nobody.
  case absent
  /// Nothing is known by it: what was had before stays good for a while.
  case unreachable(String)

  /// Reads an answer. Only 200 with `application/json` is a file, and only 404 and 410 say that there is none; a
  /// redirect is not followed, and what is cut off or not understood tells nothing.
  package init(_ answer: HTTPAnswer, from host: AssociationDomain) {
    switch answer.status {
    case 200: self = Self.file(answer, host)
    case 404, 410: self = .absent
    case 300..<400: self = .unreachable("it is redirected, which is not followed")
    case let status: self = .unreachable("status \(status)")
    }
  }

  private static func file(_ answer: HTTPAnswer, _ host: AssociationDomain) -> Self {
    guard answer.contentType == "application/json" else { return .unreachable("it is not application/json") }
    guard !answer.isTruncated else { return .unreachable("it is longer than \(HTTPAnswer.maximumBody >> 10) KiB") }
    do throws(AssociationFileError) {
      return .file(try AssociationFile(reading: answer.body, of: host))
    } catch {
      switch error {
      case .malformed: return .unreachable("it is not in the format")
      case .version: return .unreachable("it is of another version of the format")
      }
    }
  }
}
