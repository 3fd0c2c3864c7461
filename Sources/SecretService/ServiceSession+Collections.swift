// Collections: where items lie, and whether they are locked.
extension ServiceSession {
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
