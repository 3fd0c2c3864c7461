package import Configuration
package import EventLoop
package import Secrets
package import Sodium
import Synchronization
package import Vault

/// Keeps each account's record in a file of its own, `sealed/<id>.sealed` in the state directory, under a key that comes
/// from a passphrase or a key file (XChaCha20-Poly1305). For machines without a keyring; never chosen silently.
///
/// Without the key in memory the store is locked. Removing needs no key, nor does seeing that there is nothing.
package actor SealedFileStore: CredentialStore {
  /// Where the key comes from.
  package enum KeySource: Equatable, Sendable {
    /// From a passphrase, given to ``unlock(passphrase:)``, by Argon2id of this cost where it is new.
    case passphrase(PasswordHash.Cost)
    /// From a file of 32 raw bytes, ours, mode 0600.
    case keyFile(path: String)
  }

  private enum KeyState {
    case closed
    /// The key file has not been needed yet.
    case unread(path: String)
    case open(SealingKey)

    var isClosed: Bool {
      switch self {
      case .closed: true
      case .unread, .open: false
      }
    }
  }

  static let directoryName = "sealed"
  static let suffix = ".sealed"
  /// The longest file that is read, in bytes.
  static let fileLimit = 256 << 10
  /// The most different headers to which a passphrase is tried. All our files have the same one.
  static let headerLimit = 3

  package nonisolated let backend = StoreBackend.sealedFile
  private let state: PrivateDirectory
  private let source: KeySource
  private let storage: ThreadExecutor
  private var key: KeyState { didSet { isClosed.store(key.isClosed, ordering: .relaxed) } }
  /// The same for who asks without waiting for the disk.
  private nonisolated let isClosed: Atomic<Bool>
  private var isTidy = false

  /// `state` is the state directory as the daemon holds it. Disk work and Argon2id run on `storage`.
  package init(in state: PrivateDirectory, key source: KeySource, on storage: ThreadExecutor) {
    self.state = state
    self.source = source
    self.storage = storage
    key =
      switch source {
      case .passphrase: .closed
      case .keyFile(let path): .unread(path: path)
      }
    isClosed = Atomic(key.isClosed)
  }

  package nonisolated var isKnownLocked: Bool { isClosed.load(ordering: .relaxed) }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe storage.asUnownedSerialExecutor() }

  package func availability() -> StoreAvailability {
    do throws(StoreError) {
      _ = try files()
      _ = try openKey()
      return .available
    } catch {
      switch error {
      case .locked: return .locked
      case .unavailable(let text): return .unavailable(text)
      case .storage(let text), .untrusted(let text), .damaged(let text): return .refusing(text)
      case .wrongPassphrase, .dismissed: return .locked
      }
    }
  }

  package func load(_ account: Account) throws(StoreError) -> SecretBox? {
    // A key file is read at first use in any case; that there is no record can be seen without a passphrase.
    if case .unread = key { _ = try openKey() }
    guard let files = try files(), try files.exists(Self.name(account)) else { return nil }
    return try open(account, in: files, try openKey())
  }

  package func save(_ record: SecretBox, for account: Account) throws(StoreError) {
    let key = try openKey()
    let bytes = key.seal(record, for: context(account))
    guard bytes.count <= Self.fileLimit else { throw .storage("the record is longer than a sealed file may be") }
    let state = try OwnDirectory(state)
    let files = try state.madeDirectory(Self.directoryName)
    // What cannot be opened is kept for diagnosis, never written over.
    _ = try open(account, in: files, key)
    try files.replace(Self.name(account), with: bytes)
  }

  @discardableResult
  package func remove(_ account: Account) throws(StoreError) -> Bool {
    let state = try OwnDirectory(state)
    guard let files = try state.directory(Self.directoryName) else { return false }
    let wasThere = try files.exists(Self.name(account))
    for name in [Self.name(account), Self.name(account) + OwnDirectory.temporarySuffix] {
      try files.wipe(name)
      guard try !files.exists(name) else { throw .storage("the sealed file is still there after its removal") }
    }
    try files.sync()
    try state.removeEmptyDirectory(Self.directoryName)
    return wasThere
  }

  package func kept() throws(StoreError) -> [KeptRecord] {
    guard let files = try files() else { return [] }
    return try files.names(endingIn: Self.suffix).map { name in
      KeptRecord(account: String(name.dropLast(Self.suffix.count)), label: "\(Self.directoryName)/\(name)")
    }
  }

  /// Opens the store with `passphrase`, or sets it when there is no file yet; with a key file, reads that.
  package func unlock(passphrase: SecretBox?) throws(StoreError) {
    if case .open = key { return }
    switch (source, passphrase) {
    case (.keyFile(let path), _): key = .open(SealingKey(keyFile: try KeyFile.read(path)))
    case (.passphrase(let cost), let passphrase?): key = .open(try derive(passphrase, cost))
    case (.passphrase, nil): _ = try openKey()
    }
  }

  package func forget() { key = .closed }
}

extension SealedFileStore {
  private static func name(_ account: Account) -> String { account.id.text + suffix }

  /// The key in memory, the key file's at first use. Throws `.locked` without one.
  private func openKey() throws(StoreError) -> SealingKey {
    switch key {
    case .closed: throw .locked
    case .open(let key): return key
    case .unread(let path):
      let read = SealingKey(keyFile: try KeyFile.read(path))
      key = .open(read)
      return read
    }
  }

  /// The directory of sealed files, or nil when there is none; on first use without what a crash left in it.
  private func files() throws(StoreError) -> OwnDirectory? {
    let state = try OwnDirectory(state)
    guard let files = try state.directory(Self.directoryName) else { return nil }
    if !isTidy {
      for name in try files.names(endingIn: Self.suffix + OwnDirectory.temporarySuffix) { try files.remove(name) }
      isTidy = true
    }
    return files
  }

  private func open(
    _ account: Account, in files: borrowing OwnDirectory, _ key: SealingKey
  ) throws(StoreError) -> SecretBox? {
    guard let bytes = try files.read(Self.name(account), limit: Self.fileLimit) else { return nil }
    do throws(SealedFileDamage) {
      return try key.open(bytes, for: context(account))
    } catch .otherKey where isKeyFile {
      throw .unavailable("the key file is not the one under which this account's file was sealed")
    } catch {
      throw .damaged(error.text)
    }
  }

  /// Tries the passphrase on what the files say. One derivation, unless somebody mixed files of several stores.
  private func derive(_ passphrase: SecretBox, _ cost: PasswordHash.Cost) throws(StoreError) -> SealingKey {
    let headers = try headers()
    guard !headers.isEmpty else { return try SealingKey(newPassphrase: passphrase, cost: cost) }
    for header in headers.prefix(Self.headerLimit) {
      guard case .passphrase(let salt, let cost) = header.derivation else { continue }
      do throws(StoreError) {
        return try SealingKey(passphrase: passphrase, for: header, salt: salt, cost: cost)
      } catch .wrongPassphrase {
        continue
      }
    }
    let areKeyFiles = headers.allSatisfy { $0.derivation == .keyFile }
    throw areKeyFiles ? .unavailable("the files here are sealed under a key file, not a passphrase") : .wrongPassphrase
  }

  /// The different headers of all files. Throws `.damaged` when there are files and none has a sound one.
  private func headers() throws(StoreError) -> [SealingHeader] {
    guard let files = try files() else { return [] }
    var found: [SealingHeader] = []
    var damage: SealedFileDamage?
    for name in try files.names(endingIn: Self.suffix) {
      guard let bytes = try files.read(name, limit: Self.fileLimit) else { continue }
      do throws(SealedFileDamage) {
        let header = try SealingHeader(reading: bytes)
        if !found.contains(header) { found.append(header) }
      } catch {
        damage = error
      }
    }
    if found.isEmpty, let damage { throw .damaged(damage.text) }
    return found
  }

  private var isKeyFile: Bool {
    switch source {
    case .keyFile: true
    case .passphrase: false
    }
  }

  /// What a file is sealed for, authenticated and not kept. For which user and machine is in the record itself, so that a
  /// copy elsewhere is told apart from damage.
  private func context(_ account: Account) -> [UInt8] {
    [account.id.text, account.issuer.identifier].flatMap { Array($0.utf8) + [0] }
  }
}
