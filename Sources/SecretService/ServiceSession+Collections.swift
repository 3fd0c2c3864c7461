// Collections: where items lie, and whether they are locked.
extension ServiceSession {
  /// The most collections that are looked at.
  static let collectionLimit = 64

  /// The path of the default collection. Refuses the session collection, which forgets everything at logout.
  func defaultCollection(_ cancellation: Cancellation) throws(KeyringFailure) -> String {
    let path = try alias("default", cancellation)
    guard path != "/", path != Self.sessionCollection else { throw .decided(.noCollection) }
    return path
  }

  /// The `Locked` property of a collection, read from the service each time.
  func isLocked(_ collection: String, _ cancellation: Cancellation) throws(KeyringFailure) -> Bool {
    let answer: Variant
    do throws(KeyringFailure) {
      answer = try property("Locked", of: "org.freedesktop.Secret.Collection", collection, cancellation)
    } catch .missing {
      // The alias of a keyring that was never made, or was deleted.
      throw .decided(.noCollection)
    }
    guard let locked = answer.boolean else { throw .broken("a collection whose Locked is no Boolean") }
    return locked
  }

  /// Throws `.locked` unless the collection is open now.
  func requireOpen(_ collection: String, _ cancellation: Cancellation) throws(KeyringFailure) {
    if try isLocked(collection, cancellation) { throw .locked }
  }

  /// What keeps us from the items with these attributes: the default collection, collections that hide what they hold,
  /// and items that are locked by themselves, as KeePassXC's are for each program that was not let in yet.
  func closed(_ attributes: [String: String], _ cancellation: Cancellation) throws(KeyringFailure) -> [String] {
    let standard = try defaultCollection(cancellation)
    if try isLocked(standard, cancellation) { return [standard] }
    return try hiding(cancellation) + searchAll(attributes, cancellation).locked
  }

  /// The collections that are locked and show no items: what a search finds nothing of may be in there.
  ///
  /// gnome-keyring shows the items of a locked collection, and a search finds them; KeePassXC shows none.
  func hiding(_ cancellation: Cancellation) throws(KeyringFailure) -> [String] {
    let all = try property("Collections", of: "org.freedesktop.Secret.Service", Self.servicePath, cancellation)
    guard all.hasType("ao"), all.count <= Self.collectionLimit else {
      throw .broken("a service whose collections are no list of paths")
    }
    var hiding: [String] = []
    for collection in all.texts where try hides(collection, cancellation) { hiding.append(collection) }
    return hiding
  }

  private func hides(_ collection: String, _ cancellation: Cancellation) throws(KeyringFailure) -> Bool {
    do throws(KeyringFailure) {
      guard try isLocked(collection, cancellation) else { return false }
      return try property("Items", of: "org.freedesktop.Secret.Collection", collection, cancellation).count == 0
    } catch .locked {
      return true
    } catch .missing, .decided {
      // It went away between the two questions.
      return false
    }
  }

  func property(
    _ name: String, of interface: String, _ object: String, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> Variant {
    let arguments = VariantBuilder("(ss)")
    arguments.add(.string(interface))
    arguments.add(.string(name))
    return try call(object, .getProperty, arguments.end(), reply: "(v)", cancellation)[0].content
  }

  private func alias(_ name: String, _ cancellation: Cancellation) throws(KeyringFailure) -> String {
    let arguments = VariantBuilder("(s)")
    arguments.add(.string(name))
    return try call(Self.servicePath, .readAlias, arguments.end(), reply: "(o)", cancellation)[0].text
  }
}
