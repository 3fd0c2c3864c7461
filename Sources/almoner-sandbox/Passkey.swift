import JOSE
import JSON
import Sodium

/// A passkey of a person: made once, checked each time (WebAuthn level 2, §7.1 and §7.2, without attestation).
struct Passkey: Sendable {
  /// What a ceremony belongs to.
  struct Ceremony {
    /// Ours, for this visit, taken once.
    let challenge: String
    let origin: String
    /// The relying party's identifier: the origin's host.
    static let relyingParty = "localhost"
  }

  /// The most bytes of what a browser collects, decoded.
  private static let maximumClientData = 4 << 10

  let credential: [UInt8]
  private let key: JSONWebKey
  /// How often the authenticator has signed, as it says; 0 when it does not count.
  private(set) var counter: UInt32

  private init(credential: [UInt8], key: JSONWebKey, counter: UInt32) {
    self.credential = credential
    self.key = key
    self.counter = counter
  }

  /// Registers what `navigator.credentials.create` brought. Nil when any check of §7.1 fails; otherwise the passkey, and
  /// whether the authenticator verified who the person is.
  static func register(_ fields: FormFields, _ ceremony: Ceremony) -> (passkey: Passkey, isPersonVerified: Bool)? {
    guard let client = bytes(fields, "client_data"), let data = bytes(fields, "authenticator_data"),
      isOurs(client, "webauthn.create", ceremony), let parts = AuthenticatorData(data), isForUs(parts),
      let attested = parts.attested
    else { return nil }
    let passkey = Passkey(credential: attested.credential, key: attested.key, counter: parts.counter)
    return (passkey, parts.isPersonVerified)
  }

  /// Checks what `navigator.credentials.get` brought. Nil when any check of §7.2 fails; otherwise whether the authenticator
  /// verified who the person is.
  mutating func verify(_ fields: FormFields, _ ceremony: Ceremony) -> Bool? {
    guard Self.bytes(fields, "credential") == credential, let client = Self.bytes(fields, "client_data"),
      let data = Self.bytes(fields, "authenticator_data"), let signature = Self.bytes(fields, "signature"),
      Self.isOurs(client, "webauthn.get", ceremony), let parts = AuthenticatorData(data), Self.isForUs(parts),
      key.verifies(assertion: signature, over: data + SHA256.digest(client))
    else { return nil }
    // One that does not go up is a copy's, unless neither ever counted (§6.1.1).
    guard parts.counter > counter || (parts.counter == 0 && counter == 0) else { return nil }
    counter = parts.counter
    return parts.isPersonVerified
  }

  private static func isForUs(_ parts: AuthenticatorData) -> Bool {
    parts.isPersonPresent && parts.relyingPartyHash == SHA256.digest(Array(Ceremony.relyingParty.utf8))
  }

  /// Whether the browser collected this for our page and this visit (§5.8.1).
  private static func isOurs(_ client: [UInt8], _ type: String, _ ceremony: Ceremony) -> Bool {
    do {
      let limits = JSONLimits(bytes: maximumClientData, depth: 4, members: 16)
      let collected = unsafe try JSONReader.parseObject(client.span.bytes, limits: limits)
      return try collected.string("type") == type && collected.string("challenge") == ceremony.challenge
        && collected.string("origin") == ceremony.origin && collected.bool(ifPresent: "crossOrigin") != true
    } catch {
      return false
    }
  }

  private static func bytes(_ fields: FormFields, _ name: String) -> [UInt8]? {
    guard let text = fields[name], !text.isEmpty else { return nil }
    do throws(Base64URLError) { return try Base64URL.decode(text) } catch { return nil }
  }
}
