package import JSON
package import Secrets

/// The public keys that an issuer publishes (RFC 7517 §5), those we have no use for left out.
package struct JSONWebKeySet: Sendable {
  /// The most keys that are looked at; a set of more is refused.
  package static let maximumKeys = 64

  package let keys: [JSONWebKey]

  package init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// Reads a key set as fetched. Throws ``JSONWebKeySetError``; a set without a key for us is no error.
  package init(reading body: SecretBox) throws(JSONWebKeySetError) {
    let object: JSONObject
    do throws(JSONError) { object = try JSONReader.parseObject(body) } catch { throw .malformed(error) }
    guard case .array(let entries)? = object["keys"] else { throw .noKeys }
    guard entries.count <= Self.maximumKeys else { throw .tooManyKeys }
    keys = entries.compactMap { entry in
      guard case .object(let entry) = entry else { return nil }
      return JSONWebKey(entry)
    }
  }

  /// The keys that may have made a signature with this header. Without `kid` only a key that is alone of its algorithm
  /// is meant (OpenID Connect Core §10.1).
  func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [JSONWebKey] {
    guard let keyID else {
      let fitting = keys.filter { $0.algorithm == algorithm }
      return fitting.count == 1 ? fitting : []
    }
    return keys.filter { $0.keyID == keyID }
  }
}

/// Why a key set was refused.
package enum JSONWebKeySetError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// No array `keys`.
  case noKeys
  case tooManyKeys
}
