extension Wire {
  /// Lets flights end, then forgets access tokens, store keys and passphrases.
  package enum Lock: VarlinkMethod {
    package static let name = "Lock"

    package typealias Parameters = NoFields

    package typealias Reply = NoFields
  }
}
