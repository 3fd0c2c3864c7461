import JSON
package import Secrets
import Sodium

/// A compact JWS (RFC 7515 §7.1) that was taken apart and believed in nothing yet. Its claims cannot be had from here.
package struct UnverifiedJWS: Sendable {
  /// The most bytes of a token that is looked at.
  package static let maximumCount = 16 << 10
  /// The most bytes of its header, encoded.
  package static let maximumHeader = 2 << 10

  package let header: JWSHeader
  private let token: SecretBox
  /// Where the payload starts and ends, in the token.
  private let payload: Range<Int>
  private let signature: [UInt8]

  /// Takes a token apart. Throws ``JWSError`` for what is no compact JWS, or none that this door would ever accept.
  package init(_ token: SecretBox) throws(JWSError) {
    guard token.count <= Self.maximumCount else { throw .tooLarge }
    let dots = unsafe token.withUnsafeBytes { bytes in
      bytes.indices.filter { unsafe bytes[$0] == UInt8(ascii: ".") }
    }
    guard dots.count == 2 else { throw .notCompact }
    guard dots[0] <= Self.maximumHeader else { throw .tooLarge }
    header = try JWSHeader(Self.decode(token.secret, 0..<dots[0]))
    self.token = token
    payload = dots[0] + 1..<dots[1]
    signature = try Self.decode(token.secret, dots[1] + 1..<token.count)
  }

  /// Checks the signature under the keys of its issuer: the only way to its claims.
  ///
  /// Throws ``JWSError/unknownKey`` when no key of that `kid` is in the set, and other errors when it does not hold.
  package func verified(with keys: JSONWebKeySet) throws(JWSError) -> VerifiedJWS {
    let named = keys.candidates(keyID: header.keyID, algorithm: header.algorithm)
    guard !named.isEmpty else { throw .unknownKey }
    let fitting = named.filter { $0.algorithm == header.algorithm }
    guard !fitting.isEmpty else { throw .algorithmMismatch }
    guard let form = header.algorithm.opensslForm(of: signature) else { throw .badSignature }
    let holds = unsafe token.withUnsafeBytes { bytes in
      let message = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<payload.upperBound])
      return fitting.contains { key in unsafe key.handle.verifies(form, by: header.algorithm, over: message) }
    }
    guard holds else { throw .badSignature }
    return VerifiedJWS(header: header, claims: try claims())
  }

  private func claims() throws(JWSError) -> JSONObject {
    let decoded: SecretBox
    do throws(Base64URLError) {
      decoded = SecretBox(try Self.decodeSecret(token.secret, payload))
    } catch {
      throw JWSError(error)
    }
    do throws(JSONError) {
      return try JSONReader.parseObject(decoded, secretMembers: VerifiedJWS.secretClaims)
    } catch {
      throw .malformedClaims(error)
    }
  }

  private static func decode(_ token: borrowing SecretBytes, _ range: Range<Int>) throws(JWSError) -> [UInt8] {
    do throws(Base64URLError) { return try Base64URL.decode(token.bytes.extracting(range)) } catch {
      throw JWSError(error)
    }
  }

  private static func decodeSecret(
    _ token: borrowing SecretBytes, _ range: Range<Int>
  ) throws(Base64URLError) -> SecretBytes {
    try Base64URL.decodeSecret(token.bytes.extracting(range))
  }
}

extension SignatureAlgorithm {
  /// Bytes of an Ed25519 signature (RFC 8032 §5.1.6).
  private static let ed25519Count = 64

  /// The signature as OpenSSL wants it, or nil when it cannot be one.
  fileprivate func opensslForm(of signature: [UInt8]) -> [UInt8]? {
    switch self {
    case .es256: ECDSASignature.der(raw: signature)
    case .rs256: signature
    case .edDSA: signature.count == SignatureAlgorithm.ed25519Count ? signature : nil
    }
  }
}
