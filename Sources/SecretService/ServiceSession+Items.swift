import CSecret
import Glibc
import Secrets

// Items: found by attributes, read, created, deleted.
extension ServiceSession {
  /// The most items one search may bring. One account has one item; more than this is somebody else's doing.
  static let itemLimit = 64
  /// The most items that are listed, of all accounts there ever were.
  static let listLimit = 1024
  /// The longest secret that is read, in bytes. A record is a few KiB.
  static let secretLimit = 256 << 10

  /// Bytes, and not text: KeePassXC keeps a text as characters, and what is no UTF-8 would come back as something else.
  private static let contentType = "application/octet-stream"

  /// The paths of all items, in any collection, that have at least these attributes. Throws `.locked` if one is locked.
  func search(_ attributes: [String: String], _ cancellation: Cancellation) throws(KeyringFailure) -> [String] {
    let found = try searchAll(attributes, cancellation)
    guard found.locked.isEmpty else { throw .locked }
    return found.open
  }

  /// The paths of all items, in any collection, that have at least these attributes, and which of them are locked.
  func searchAll(
    _ attributes: [String: String], limit: Int = itemLimit, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> (open: [String], locked: [String]) {
    let arguments = VariantBuilder("(a{ss})")
    arguments.add(.dictionary(attributes))
    let answer = try call(Self.servicePath, .searchItems, arguments.end(), reply: "(aoao)", cancellation)
    guard answer[0].count <= limit, answer[1].count <= limit else {
      throw .decided(.inconsistent("more than \(limit) keyring items claim to be this account's"))
    }
    return (answer[0].texts, answer[1].texts)
  }

  /// All attributes of an item: ours, and whatever the service adds.
  func attributes(of item: String, _ cancellation: Cancellation) throws(KeyringFailure) -> [String: String] {
    let value = try property("Attributes", of: "org.freedesktop.Secret.Item", item, cancellation)
    guard let attributes = value.dictionary else { throw .broken("an item whose attributes are no dictionary") }
    return attributes
  }

  /// The item as it is seen from outside.
  func entry(_ item: String, _ cancellation: Cancellation) throws(KeyringFailure) -> KeyringEntry {
    let label = try property("Label", of: "org.freedesktop.Secret.Item", item, cancellation)
    guard label.hasType("s") else { throw .broken("an item whose label is no text") }
    return KeyringEntry(label: label.text, attributes: try attributes(of: item, cancellation))
  }

  /// The item's secret, straight from libsecret's locked memory into ours.
  func secret(of item: String, _ cancellation: Cancellation) throws(KeyringFailure) -> SecretBytes {
    guard let path = unsafe secret_service_get_session_dbus_path(service) else { throw .broken("no session") }
    let arguments = VariantBuilder("(o)")
    arguments.add(.objectPath(unsafe String(cString: path)))
    // Not libsecret's own call for this, which leaks the answer each time (0.20.5, measured).
    let answer = try call(item, .getSecret, arguments.end(), reply: "((oayays))", cancellation)[0]
    guard let value = unsafe secret_service_decode_dbus_secret(service, answer.pointer) else {
      throw .broken("a secret that was not encrypted for this session")
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    guard let bytes = unsafe secret_value_get(value, &count), count <= gsize(Self.secretLimit) else {
      throw .decided(.inconsistent("the keyring item is longer than any record of ours"))
    }
    do throws(SecretMemoryExhausted) {
      return unsafe try SecretBytes(copying: RawSpan(_unsafeStart: bytes, byteCount: Int(count)))
    } catch {
      throw .decided(.memory)
    }
  }

  /// Creates the item, or replaces the one with exactly these attributes, in one call. Returns its path.
  func create(
    in collection: String, _ item: KeyringItem, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> String {
    let arguments = VariantBuilder("(a{sv}(oayays)b)")
    let properties = VariantBuilder("a{sv}")
    properties.add(.entry("org.freedesktop.Secret.Item.Label", .variant(.string(item.label))))
    properties.add(.entry("org.freedesktop.Secret.Item.Attributes", .variant(.dictionary(item.attributes))))
    arguments.add(properties.end())
    arguments.add(try encrypted(item.secret))
    arguments.add(.boolean(true))
    let answer = try call(collection, .createItem, arguments.end(), reply: "(oo)", cancellation)
    switch try finish(answer[1].text, in: collection, cancellation) {
    case .nothingPutOff: return answer[0].text
    case .done(let path): return path
    }
  }

  /// Deletes an item.
  func delete(_ item: String, _ cancellation: Cancellation) throws(KeyringFailure) {
    let answer = try call(item, .delete, VariantBuilder("()").end(), reply: "(o)", cancellation)
    _ = try finish(answer[0].text, in: Self.collection(of: item), cancellation)
  }

  /// The secret under the session's key, as the bus carries it.
  private func encrypted(_ secret: SecretBox) throws(KeyringFailure) -> Variant {
    let variant = unsafe secret.withUnsafeBytes { bytes -> OpaquePointer? in
      guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
      // Borrowed, not copied: no destructor, and libsecret writes only into what it encrypts to.
      let value = unsafe secret_value_new_full(
        UnsafeMutablePointer(mutating: start), gssize(bytes.count), Self.contentType, nil)
      guard let value = unsafe value else { return nil }
      defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
      return unsafe secret_service_encode_dbus_secret(service, value)
    }
    guard let variant = unsafe variant else { throw .broken("libsecret did not encrypt the secret") }
    return unsafe Variant(variant)
  }
}
