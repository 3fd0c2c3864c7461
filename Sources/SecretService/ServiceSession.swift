import CSecret
import Glibc

/// One encrypted session with the Secret Service, and the calls made in it. Used by one thread at a time.
///
/// Every call that could raise a prompt by itself in libsecret is made here on the bus instead.
@safe final class ServiceSession {
  static let busName = "org.freedesktop.secrets"
  static let servicePath = "/org/freedesktop/secrets"
  static let sessionCollection = "/org/freedesktop/secrets/collection/session"
  /// What libsecret calls its Diffie-Hellman session (Secret Service specification, "Transfer of secrets").
  private static let encryptedAlgorithm = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
  /// Milliseconds that a single call may take when no cancellation ends it before.
  private static let callLimit: Int32 = 120_000

  let service: UnsafeMutablePointer<CSecret.SecretService>
  let bus: OpaquePointer

  /// Connects and negotiates encryption. Refuses a `plain` session, which libsecret falls back to without a word.
  init(_ cancellation: Cancellation) throws(KeyringFailure) {
    guard Self.isBusAnnounced else {
      // Without an address GLib would try to start a bus of its own.
      throw .decided(.noBus)
    }
    var error: UnsafeMutablePointer<GError>?
    guard let bus = unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, cancellation.pointer, &error) else {
      throw unsafe KeyringFailure(consuming: error)
    }
    // Otherwise the end of the bus would be our SIGTERM.
    unsafe g_dbus_connection_set_exit_on_close(bus, 0)
    guard
      let service = unsafe secret_service_open_sync(
        secret_service_get_type(), Self.busName, SECRET_SERVICE_OPEN_SESSION, cancellation.pointer, &error)
    else {
      unsafe g_object_unref(UnsafeMutableRawPointer(bus))
      throw unsafe KeyringFailure(consuming: error)
    }
    unsafe self.service = service
    unsafe self.bus = bus
    guard let algorithm = unsafe secret_service_get_session_algorithms(service),
      unsafe strcmp(algorithm, Self.encryptedAlgorithm) == 0
    else { throw .decided(.plainSession) }
  }

  deinit {
    unsafe g_object_unref(service)
    unsafe g_object_unref(UnsafeMutableRawPointer(bus))
  }

  /// Calls a method on the service and returns its answer, a tuple of type `reply`.
  func call(
    _ object: String, _ method: Method, _ arguments: borrowing Variant, reply: String, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> Variant {
    let type = unsafe g_variant_type_new(reply)
    defer { unsafe g_variant_type_free(type) }
    var error: UnsafeMutablePointer<GError>?
    let answer = unsafe g_dbus_connection_call_sync(
      bus, Self.busName, object, method.interface, method.name, arguments.pointer, type, G_DBUS_CALL_FLAGS_NONE,
      Self.callLimit, cancellation.pointer, &error)
    guard let answer = unsafe answer else { throw unsafe KeyringFailure(consuming: error) }
    return unsafe Variant(answer)
  }

  /// The unique name of the service as it was when the session was opened: only its signals count.
  var owner: String? {
    let proxy = unsafe UnsafeMutableRawPointer(service).assumingMemoryBound(to: GDBusProxy.self)
    guard let name = unsafe g_dbus_proxy_get_name_owner(proxy) else { return nil }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }

  private static var isBusAnnounced: Bool {
    if unsafe getenv("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
    guard let runtime = unsafe getenv("XDG_RUNTIME_DIR") else { return false }
    return unsafe access(String(cString: runtime) + "/bus", F_OK) == 0
  }
}

extension ServiceSession {
  /// A method of the Secret Service specification.
  struct Method {
    let interface: String
    let name: String

    static let readAlias = Self(interface: "org.freedesktop.Secret.Service", name: "ReadAlias")
    static let searchItems = Self(interface: "org.freedesktop.Secret.Service", name: "SearchItems")
    static let createItem = Self(interface: "org.freedesktop.Secret.Collection", name: "CreateItem")
    static let getSecret = Self(interface: "org.freedesktop.Secret.Item", name: "GetSecret")
    static let delete = Self(interface: "org.freedesktop.Secret.Item", name: "Delete")
    static let unlock = Self(interface: "org.freedesktop.Secret.Service", name: "Unlock")
    static let prompt = Self(interface: "org.freedesktop.Secret.Prompt", name: "Prompt")
    static let dismiss = Self(interface: "org.freedesktop.Secret.Prompt", name: "Dismiss")
    static let getProperty = Self(interface: "org.freedesktop.DBus.Properties", name: "Get")
  }
}
