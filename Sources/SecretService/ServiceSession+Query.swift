import Secrets

// One account, one item: what is not exactly that is never chosen from, nor written over.
extension ServiceSession {
  /// The default collection, if it is open now. Throws `.locked` before anything else is asked.
  func openCollection(_ cancellation: Cancellation) throws(KeyringFailure) -> String {
    let collection = try defaultCollection(cancellation)
    try requireOpen(collection, cancellation)
    return collection
  }

  /// The one item that the query means, or nil.
  func find(_ query: KeyringQuery, _ cancellation: Cancellation) throws(KeyringFailure) -> String? {
    let items = try search(query.key, cancellation)
    guard let item = items.first else { return nil }
    guard items.count == 1 else {
      throw .decided(.inconsistent("\(items.count) keyring items claim to be this account's; delete the wrong ones"))
    }
    guard Self.collection(of: item) != Self.sessionCollection else {
      throw .decided(.inconsistent("the keyring item lies in the session collection, where nothing of ours is kept"))
    }
    let held = try attributes(of: item, cancellation)
    guard query.attributes.allSatisfy({ held[$0.key] == $0.value }) else {
      throw .decided(.inconsistent("the keyring item of this account has other attributes than it was stored with"))
    }
    return item
  }

  /// The item to replace if there is one, and the open collection in which to create: the item's own, else the default.
  func place(
    _ query: KeyringQuery, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> (item: String?, collection: String) {
    let standard = try openCollection(cancellation)
    guard let item = try find(query, cancellation) else { return (nil, standard) }
    let own = Self.collection(of: item)
    if own != standard { try requireOpen(own, cancellation) }
    return (item, own)
  }

  /// Looks again after a store: one item, the one that was created, with the bytes that were given.
  func confirm(
    _ item: KeyringItem, at path: String, _ query: KeyringQuery, replacing old: String?,
    _ cancellation: Cancellation
  ) throws(KeyringFailure) {
    let items = try search(query.key, cancellation)
    guard items == [path] else {
      if path != old { try delete(path, cancellation) }
      throw .decided(.inconsistent("the keyring service made a second item instead of replacing the first"))
    }
    let held = try secret(of: path, cancellation)
    guard held.isEqual(to: item.secret.secret) else {
      throw .decided(.refused("the keyring service kept other bytes than it was given"))
    }
  }

  /// The path of the collection in which an item lies: one component less.
  static func collection(of item: String) -> String {
    item.lastIndex(of: "/").map { String(item[..<$0]) } ?? item
  }
}
