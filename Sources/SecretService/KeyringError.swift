/// Why the keyring did not do what was asked. Texts hold nothing that the service or an item said, D-Bus error names
/// aside.
package enum KeyringError: Error, Equatable, Sendable {
  /// The collection, or the item, is locked. Whether anything is there cannot be told.
  case locked
  /// There is no session bus, and none comes by waiting.
  case absent(String)
  /// No service, no collection, no encrypted session, or no answer within the deadline.
  case unavailable(String)
  /// The service is there and did not keep or delete the item.
  case refused(String)
  /// Several items, or one that is not what its attributes promise. Nothing was changed.
  case inconsistent(String)
  /// The person dismissed the prompt, or nobody waits for it any more.
  case dismissed
}

extension KeyringError {
  static let noBus = Self.absent(
    "there is no session bus for the keyring (DBUS_SESSION_BUS_ADDRESS); start a session and then the daemon in it, or "
      + "use the sealed file: --store sealed-file, or default=sealed-file under [store] in almoner.conf")
  static let noCollection = Self.unavailable(
    "the keyring service has no default collection; create one (in Passwords and Keys, or by logging in to the "
      + "desktop once), or use the sealed file store")
  static let plainSession = Self.unavailable(
    "the keyring service offers no encrypted transfer, so secrets would be readable on the bus")
  static let confirmation = Self.refused(
    "the keyring service asks for a confirmation before it changes anything; allow changes without")
  static let memory = Self.unavailable("no locked memory left for the secret")
}
