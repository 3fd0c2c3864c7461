import JOSE
import JSON
import Secrets
import Sodium

extension FuzzTarget {
  /// A token counts only when our issuer's key signed exactly its bytes with an algorithm of ours, and its header brings
  /// nothing that could change that.
  static let signature = FuzzTarget(name: "signature") { bytes in
    var choices = Choices(bytes)
    switch choices.byte() % 3 {
    case 0: checkForged(choices.rest())
    case 1: checkSigned(&choices)
    default: checkKeys(choices.rest())
    }
  }

  private static let key = {
    do throws(SigningError) { return try SigningKey.generateES256() } catch {
      preconditionFailure("a key can be drawn")
    }
  }()

  private static let keys = {
    guard let jwk = JSONWebKey(key.publicJWK) else { preconditionFailure("our own key is a key") }
    return JSONWebKeySet([jwk])
  }()

  /// Nobody but the holder of the key makes a token: not even one who knows the code.
  private static func checkForged(_ bytes: [UInt8]) {
    for part in bytes.split(separator: UInt8(ascii: ".")) { checkSpelling(Array(part)) }
    do throws(JWSError) {
      let token = try UnverifiedJWS(SecretBox(fuzzed: bytes))
      require(bytes.count <= UnverifiedJWS.maximumCount, "a token is no longer than its limit")
      _ = try token.verified(with: keys)
      require(false, "a token that was not signed counts")
    } catch {
      return
    }
  }

  /// Bytes have one spelling only, or a token could be changed and stay signed.
  private static func checkSpelling(_ text: [UInt8]) {
    do throws(Base64URLError) {
      let decoded = try Base64URL.decodeSecret(SecretBox(fuzzed: text).secret).revealed
      require(Array(Base64URL.encode(decoded).utf8) == text, "base64url has one spelling only")
    } catch {
      return
    }
  }

  /// A signed one counts as it is, and not when anything in it was changed.
  private static func checkSigned(_ choices: inout Choices) {
    var header = JSONObject()
    for _ in 0..<choices.byte() % 3 {
      let name = choices.one(of: ["typ", "crit", "b64", "jku", "jwk", "x5u", "x5c", "cty", "x"])
      header.append(name, .string(choices.text()))
    }
    var claims = JSONObject()
    claims.append("sub", .string(choices.text()))
    claims.append("n", .integer(choices.number()))
    guard let token = signed(header, claims) else { return }
    let isRefused = header.members.contains { !["typ", "cty", "x"].contains($0.name) }
    if let verified = claimsOf(token) {
      require(!isRefused, "a header that brings a key or an extension is refused")
      require(verified == claims, "the claims are those that were signed")
    } else {
      require(isRefused || header.members.contains { $0.name == "typ" }, "what our issuer signed counts")
    }
    let changed = mutated(token, &choices)
    require(changed == token || claimsOf(changed) == nil, "what was changed does not count")
  }

  private static func signed(_ header: JSONObject, _ claims: JSONObject) -> [UInt8]? {
    do throws(SigningError) { return try key.sign(header: header, claims: claims).revealed } catch { return nil }
  }

  private static func claimsOf(_ token: [UInt8]) -> JSONObject? {
    do throws(JWSError) { return try UnverifiedJWS(SecretBox(fuzzed: token)).verified(with: keys).claims } catch {
      return nil
    }
  }

  /// A key set as fetched.
  private static func checkKeys(_ bytes: [UInt8]) {
    do throws(JSONWebKeySetError) {
      let set = try JSONWebKeySet(reading: SecretBox(fuzzed: bytes))
      require(set.keys.count <= JSONWebKeySet.maximumKeys, "no more keys are kept than the limit")
      guard let token = signed(JSONObject(), JSONObject()), !set.keys.isEmpty else { return }
      do throws(JWSError) {
        _ = try UnverifiedJWS(SecretBox(fuzzed: token)).verified(with: set)
        require(false, "another issuer's keys verify nothing of ours")
      } catch {
        return
      }
    } catch {
      return
    }
  }
}
