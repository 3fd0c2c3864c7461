import Configuration
import Vault
import Wire

/// A sign-in that ended without an account, in the words of the interface.
///
/// What helps depends on what was there before, and on whether the account's name alone says where to sign in.
struct FailedSignIn {
  let services: Services
  let parameters: Wire.SignIn.Parameters
  /// The account that was to be renewed.
  let existing: Account?

  func reply(_ error: VaultError) async -> ErrorReply {
    switch error {
    case .signInFailed(let failure, let message):
      return .almoner(
        .signInFailed(reason: SignInFailure(rawValue: failure.rawValue), message: message, help: await again()))
    case .misconfigured(let account, let message) where existing == nil:
      // There are no tokens yet that could be kept, and no configuration where the command line says it all.
      let isConfigured = parameters.registration?.issuer?.contains("://") != true
      let help = isConfigured && parameters.registration?.publishableKey == nil ? "almoner config check" : ""
      return .almoner(.misconfigured(account: account, message: ErrorReply.subject(account) + message, help: help))
    case .stepUpRequired(let account, let challenge, let why):
      // The command for another one would lead here again.
      return ErrorReply(.stepUpRequired(account: account, challenge, why)).withoutHelp
    case .locked(let account) where await lacksPassphrase():
      return .almoner(
        .locked(
          account: account, message: ErrorReply.subject(account) + "the sealed file needs its passphrase",
          help: "the same on a terminal, where it is asked for, or key-file= under [store] in almoner.conf"))
    default: return ErrorReply(error)
    }
  }

  /// The command that begins such a sign-in anew, when the name alone is enough for it.
  private func again() async -> String {
    let name = existing?.name ?? parameters.account
    do throws(VaultError) { _ = try await services.plan(SignInWish(account: name), existing) } catch { return "" }
    return name.map { "almoner login \($0)" } ?? "almoner login"
  }

  private func lacksPassphrase() async -> Bool {
    guard await !services.vault.isLocked else { return false }
    do throws(VaultError) {
      return try await services.plan(SignInWish(parameters, existing), existing).backend == .sealedFile
    } catch {
      return false
    }
  }
}

extension ErrorReply {
  fileprivate var withoutHelp: Self {
    guard case .almoner(.stepUpRequired(let account, let acrValues, let maxAge, let message, _)) = self else {
      return self
    }
    return .almoner(
      .stepUpRequired(account: account, acrValues: acrValues, maxAge: maxAge, message: message, help: ""))
  }
}
