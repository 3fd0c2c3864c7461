package import SecretService
package import Secrets
import Synchronization
package import Vault

/// Keeps each account's record as one item of the desktop's keyring.
///
/// Replacing the item replaces all tokens at once. "Stored" is the service's word and not durable: gnome-keyring syncs
/// no directory and KeePassXC saves later, which is why the rotation journal keeps its redo copy.
package final class SecretServiceStore: CredentialStore {
  package static let application = "org.almoner"
  /// `xdg:schema` of our items.
  package static let schema = "org.almoner.Account"

  package let backend = StoreBackend.secretService
  private let keyring: Keyring
  /// The accounts whose items were seen: where one is not found later, it is somewhere else and not absent.
  private let seen = Mutex(Set<AccountID>())

  package init(_ keyring: Keyring) { self.keyring = keyring }

  package func availability() async -> StoreAvailability {
    switch await keyring.availability() {
    case .open: .available
    case .locked: .locked
    case .absent(let text): .refusing(text)
    case .unavailable(let text): .unavailable(text)
    }
  }

  package func load(_ account: Account) async throws(StoreError) -> SecretBox? {
    let held: SecretBox?
    do throws(KeyringError) {
      held = try await keyring.load(Self.query(account))
    } catch {
      throw StoreError(error)
    }
    guard let held else { return nil }
    guard let record = try CheckedRecord.open(held) else {
      throw .damaged("the keyring item of this account does not hold a record of ours")
    }
    seen.withLock { _ = $0.insert(account.id) }
    return record
  }

  package func save(_ record: SecretBox, for account: Account) async throws(StoreError) {
    let query = Self.query(account)
    let item = KeyringItem(
      label: "Almoner: \(account.name) (\(account.issuer.name))", attributes: query.attributes,
      secret: try CheckedRecord.make(record))
    do throws(KeyringError) {
      try await keyring.save(item, query, isKnown: seen.withLock { $0.contains(account.id) }) {
        CheckedRecord.isIntact($0)
      }
    } catch {
      throw StoreError(error)
    }
    seen.withLock { _ = $0.insert(account.id) }
  }

  @discardableResult
  package func remove(_ account: Account) async throws(StoreError) -> Bool {
    let wasThere: Bool
    do throws(KeyringError) {
      wasThere = try await keyring.remove(Self.query(account))
    } catch {
      throw StoreError(error)
    }
    seen.withLock { _ = $0.remove(account.id) }
    return wasThere
  }

  package func kept() async throws(StoreError) -> [KeptRecord] {
    do throws(KeyringError) {
      return try await keyring.list(["application": Self.application]).map { entry in
        KeptRecord(account: entry.attributes["account"] ?? "", label: entry.label)
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Has the keyring ask the person; `passphrase` is the sealed file's business and not looked at.
  package func unlock(passphrase: SecretBox?) async throws(StoreError) {
    do throws(KeyringError) { try await keyring.unlock(["application": Self.application]) } catch {
      throw StoreError(error)
    }
  }

  package func forget() async { await keyring.disconnect() }

  private static func query(_ account: Account) -> KeyringQuery {
    let key = ["application": application, "account": account.id.text]
    let all = [
      "xdg:schema": schema, "issuer": account.issuer.identifier, "environment": account.issuer.environment.rawValue,
    ]
    return KeyringQuery(key: key, attributes: key.merging(all) { ours, _ in ours })
  }
}

extension StoreError {
  fileprivate init(_ error: KeyringError) {
    self =
      switch error {
      case .locked: .locked
      case .unavailable(let text): .unavailable(text)
      case .absent(let text), .refused(let text): .storage(text)
      case .inconsistent(let text): .damaged(text)
      case .dismissed: .dismissed
      }
  }
}
