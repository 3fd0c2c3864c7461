/// A record that a store keeps and no account of the index has: of another state directory, another machine, or left over.
package struct StrayRecord: Equatable, Sendable {
  package let backend: StoreBackend
  package let record: KeptRecord
}

extension Vault {
  /// The most strays that are told of.
  static let maximumStrays = 64
  /// The most characters of what they say of themselves, which anybody could have written.
  static let longestStrayText = 128

  /// What the open stores keep that belongs to no account here. No secret is read. A store that is locked or away is not
  /// looked into.
  package func strays() async -> [StrayRecord] {
    var strays: [StrayRecord] = []
    for backend in StoreBackend.allCases {
      guard let store = tools.stores[backend] else { continue }
      // Both those that were there before and those that are there afterwards: accounts come and go meanwhile.
      var known = Set(entries.map(\.account.id.text))
      do throws(StoreError) {
        let kept = try await store.kept()
        known.formUnion(entries.map(\.account.id.text))
        strays += kept.filter { !known.contains($0.account) }.map { StrayRecord(backend: backend, record: $0.clipped) }
      } catch {
        continue
      }
    }
    return Array(strays.prefix(Self.maximumStrays))
  }
}

extension KeptRecord {
  fileprivate var clipped: Self {
    Self(
      account: String(account.prefix(Vault.longestStrayText)), label: String(label.prefix(Vault.longestStrayText)))
  }
}
