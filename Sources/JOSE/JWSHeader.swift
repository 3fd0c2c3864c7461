import JSON

/// The header of a JWS, as far as it is heeded (RFC 7515 §4.1).
package struct JWSHeader: Equatable, Sendable {
  package let algorithm: SignatureAlgorithm
  /// `kid`.
  package let keyID: String?
  /// `typ` in lower case, without `application/` (RFC 7515 §4.1.9): `jwt`, `at+jwt`.
  package let type: String?

  /// Reads a decoded header.
  ///
  /// Refuses every algorithm but ours, `none` and shared secrets first of all; every critical extension, since none is
  /// understood (RFC 7515 §4.1.11); and a header that brings or points to its own key, which is never looked at.
  init(_ bytes: [UInt8]) throws(JWSError) {
    let object: JSONObject
    do throws(JSONError) {
      object = unsafe try JSONReader.parseObject(bytes.span.bytes, limits: JSONLimits(depth: 3, members: 32))
    } catch {
      throw .malformedHeader
    }
    guard object["crit"] == nil, object["b64"] == nil else { throw .criticalExtension }
    guard !["jku", "jwk", "x5u", "x5c"].contains(where: object.has) else { throw .keyInHeader }
    guard case .string(let name)? = object["alg"] else { throw .malformedHeader }
    guard let algorithm = SignatureAlgorithm(named: name) else { throw .algorithmNotAllowed }
    self.algorithm = algorithm
    keyID = try Self.text(object, "kid")
    type = try Self.text(object, "typ").map(Self.normalized)
  }

  private static func text(_ object: JSONObject, _ name: String) throws(JWSError) -> String? {
    switch object[name] {
    case nil: return nil
    case .string(let text)?:
      guard text.utf8.count <= JSONWebKey.maximumKeyID else { throw .malformedHeader }
      return text
    case _?: throw .malformedHeader
    }
  }

  private static func normalized(_ type: String) -> String {
    let type = type.lowercased()
    let prefix = "application/"
    return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
  }
}
