import Vault

func isDamage(_ error: any Error) -> Bool {
  guard let error = error as? StoreError, case .damaged = error else { return false }
  return true
}

func isDistrust(_ error: any Error) -> Bool {
  guard let error = error as? StoreError, case .untrusted = error else { return false }
  return true
}

func isUnavailable(_ error: any Error) -> Bool {
  guard let error = error as? StoreError, case .unavailable = error else { return false }
  return true
}
