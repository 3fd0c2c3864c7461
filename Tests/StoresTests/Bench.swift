import EventLoop
import Glibc
import SecretService
import Secrets
import Stores
import Testing
import Vault

/// The stores that the contract is asked of.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case passphrase
  case keyFile
  case keyring

  /// The keyring only where `Tests/Integration/keyring/run-store-tests.sh` made one; it counts that it took part.
  static var present: [Backend] { allCases.filter { $0 != .keyring || Self.hasKeyring } }
  static var hasKeyring: Bool { unsafe getenv("ALMONER_TEST_KEYRING") != nil }

  var testDescription: String { rawValue }
}

/// One store, open, with what belongs to it.
struct Bench {
  let store: any CredentialStore
  private let state: TemporaryState
  private let keyring: Keyring?

  init(_ backend: Backend) async throws {
    state = try TemporaryState()
    switch backend {
    case .passphrase:
      store = try await Samples.openSealedFile(state)
      keyring = nil
    case .keyFile:
      let path = state.path + "/key"
      try TemporaryState.write(Array(0..<32), to: path)
      store = try Samples.sealedFile(state, key: .keyFile(path: path))
      keyring = nil
    case .keyring:
      let keyring = try Keyring(try Samples.loop.get().loop)
      store = SecretServiceStore(keyring)
      self.keyring = keyring
    }
  }

  func account(_ digit: Character) throws -> Account { try Samples.account(digit, backend: store.backend) }

  func record(_ text: String) throws -> SecretBox { try Samples.secret(text) }

  /// Overwrites what is kept for the account, as another program could.
  func spoil(_ account: Account) async throws {
    guard let keyring else { return try TemporaryState.write(Array("garbage".utf8), to: path(account)) }
    let query = Bench.query(account)
    let item = KeyringItem(label: "spoilt", attributes: query.attributes, secret: try Samples.secret("garbage"))
    try await keyring.save(item, query) { _ in true }
  }

  /// Leaves nothing behind in a keyring that the next test uses too.
  func clear() async {
    for digit in ["1", "2"] as [Character] {
      do { try await store.remove(account(digit)) } catch { Issue.record(error) }
    }
  }

  static func query(_ account: Account) -> KeyringQuery {
    let key = ["application": "org.almoner", "account": account.id.text]
    return KeyringQuery(
      key: key,
      attributes: key.merging([
        "xdg:schema": "org.almoner.Account", "issuer": account.issuer.identifier, "environment": "sandbox",
      ]) { ours, _ in ours })
  }

  private func path(_ account: Account) -> String { state.file(account.id.text + ".sealed") }
}
