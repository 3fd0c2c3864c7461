import Configuration
import Glibc
import Secrets
import Vault

/// What `status` says beside the accounts: what is not as it should be, and what we cannot protect against.
enum StatusNotes {
  static func collect(_ settings: Settings, _ vault: Vault, directory: String) async -> [String] {
    var notes = await settings.problems.map { "configuration: \($0)" }
    if !SecretArena.shared.isLocked {
      notes.append("the limit on locked memory forbids locking: secrets may reach swap")
    }
    if !isOwnedByRoot(directory) {
      notes.append(
        "these programs lie where you can write: for an instant after their start another program of yours could read "
          + "their memory; an installed package has no such instant")
    }
    if await vault.accounts.contains(where: { $0.issuer.kind == "didit" }) {
      notes.append(
        "didit: tried against our own model of the published contract, never yet against the vendor")
    }
    return await notes + vault.signOutNotes
  }

  private static func isOwnedByRoot(_ directory: String) -> Bool {
    var facts = stat()
    return unsafe stat(directory, &facts) == 0 && facts.st_uid == 0 && facts.st_mode & 0o022 == 0
  }
}
