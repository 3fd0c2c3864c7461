import Time

extension SessionMachine {
  /// What is in the way of a refresh that is forced, beside the least time between two of them; nil when nothing is.
  func hindrance(at now: BootInstant) -> VaultError? {
    if troubleText != nil { return refusal(at: now) }
    guard case .holding(let generation) = state else { return nil }
    guard generation.refreshToken != nil else {
      return .denied(account: name, message: "the issuer granted no refresh token: this sign-in is not renewed")
    }
    if work == .resolve {
      return .temporary(account: name, message: "what became of an earlier refresh is being found out", retryAfter: 5)
    }
    return storeRefuses && !generation.isStored ? notStoredYet : nil
  }
}
