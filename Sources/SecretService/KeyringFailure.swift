import CSecret

/// What one call to GLib, D-Bus or libsecret came to when it failed: each GError is mapped here and nowhere else.
///
/// Error messages are never passed on: whoever sent them may have put a secret in.
enum KeyringFailure: Error, Equatable {
  /// The deadline fired, or nobody waits any more.
  case cancelled
  /// `org.freedesktop.Secret.Error.IsLocked`.
  case locked
  /// The object that was named does not exist.
  case missing
  /// The person said no to a prompt.
  case dismissed
  /// A decision of ours that asking again would not change.
  case decided(KeyringError)
  /// Anything else, with its D-Bus name or code. Worth one new connection: libsecret keeps a stale one for ever.
  case broken(String)

  /// Maps `error` and frees it. No error at all is a failure too: GLib's checks return FALSE without one.
  init(consuming error: UnsafeMutablePointer<GError>?) {
    guard let error = unsafe error else {
      self = .broken("failed without an error")
      return
    }
    self = unsafe Self.classify(error)
    unsafe g_error_free(error)
  }

  /// What the caller of the door is told.
  var reported: KeyringError {
    switch self {
    case .cancelled: .unavailable("the keyring service did not answer within the deadline")
    case .locked: .locked
    case .missing: .unavailable("the keyring service no longer has the object")
    case .dismissed: .dismissed
    case .decided(let error): error
    case .broken(let name): .unavailable("the keyring service failed: \(name)")
    }
  }

  private static func classify(_ error: UnsafeMutablePointer<GError>) -> Self {
    let domain = unsafe error.pointee.domain
    let code = unsafe error.pointee.code
    if domain == g_io_error_quark(), code == Int32(G_IO_ERROR_CANCELLED.rawValue) { return .cancelled }
    if domain == secret_error_get_quark() {
      if code == Int32(SECRET_ERROR_IS_LOCKED.rawValue) { return .locked }
      if code == Int32(SECRET_ERROR_NO_SUCH_OBJECT.rawValue) { return .missing }
    }
    let name = unsafe remoteName(error)
    switch name {
    case "org.freedesktop.Secret.Error.IsLocked": return .locked
    case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface":
      return .missing
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      return .broken(
        "no Secret Service on the session bus; start gnome-keyring or KeePassXC, "
          + "or use the sealed file store")
    default: return .broken(name ?? local(domain, code))
    }
  }

  /// The error's D-Bus name if it has one that is well-formed (D-Bus specification, "Error names").
  private static func remoteName(_ error: UnsafeMutablePointer<GError>) -> String? {
    guard let text = unsafe g_dbus_error_get_remote_error(error) else { return nil }
    defer { unsafe g_free(text) }
    let name = unsafe String(cString: text)
    let isName =
      name.utf8.count <= 255
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: ".")
          || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    return isName ? name : "an error without a proper name"
  }

  private static func local(_ domain: GQuark, _ code: Int32) -> String {
    guard let name = unsafe g_quark_to_string(domain) else { return "error \(code)" }
    return unsafe String(cString: name) + " \(code)"
  }
}
