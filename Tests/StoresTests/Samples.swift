import Configuration
import EventLoop
import Exchange
import Secrets
import Sodium
import Stores
import Vault

/// Accounts, records and threads that many tests share.
enum Samples {
  /// The cheapest cost there is: these tests are not about slowness.
  static let cheap = PasswordHash.Cost(operations: 2, memory: 19 << 20) ?? .interactive
  static let storage = Result { try ThreadExecutor(name: "test-storage") }
  static let loop = Result { try LoopThread(name: "test-loop") }

  static func secret(_ text: String) throws -> SecretBox {
    unsafe SecretBox(try SecretBytes(copying: Array(text.utf8).span.bytes))
  }

  /// An account; the same digit gives the same account.
  static func account(
    _ digit: Character = "a", issuer: String = "https://issuer.example", backend: StoreBackend = .sealedFile
  ) throws -> Account {
    guard let id = AccountID(String(repeating: digit, count: 32)) else { throw TestFailure("no account id") }
    let profile = IssuerProfile(
      name: "test", kind: "openid", identifier: issuer, environment: .sandbox, clientID: "client",
      egress: EgressPolicy(), rotation: .unknown)
    return Account(id: id, name: "ada", issuer: profile, backend: backend)
  }

  static func sealedFile(
    _ state: TemporaryState, key: SealedFileStore.KeySource? = nil
  ) throws -> SealedFileStore {
    SealedFileStore(in: try PrivateDirectory(state.path), key: key ?? .passphrase(cheap), on: try storage.get())
  }

  /// A store that is open under the passphrase "correct horse".
  static func openSealedFile(_ state: TemporaryState) async throws -> SealedFileStore {
    let store = try sealedFile(state)
    try await store.unlock(passphrase: try secret("correct horse"))
    return store
  }
}

extension SecretBox {
  /// What the secret says, for comparing in tests.
  var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}
