import JOSE
import JSON
import Vault

/// The claims of verified tokens that are fit to be shown to the person, in their order, each name once.
struct ShownClaims {
  /// The most bytes of a value, and the most claims.
  static let maximumValue = 1024
  static let maximumCount = 64

  /// Claims that say something of the token, not of the person.
  private static let ofTheToken: Set<String> = [
    "iss", "aud", "exp", "iat", "nbf", "jti", "nonce", "at_hash", "c_hash", "azp", "typ", "sid", "act", "client_id",
  ]

  private(set) var claims: [VerifiedIdentity.Claim] = []

  /// Adds what is new in `token`. Texts, numbers and truth values are taken, and lists of texts, joined by spaces; what
  /// holds control characters is not, since it will reach terminals.
  mutating func add(_ token: VerifiedJWS) { add(token.claims) }

  /// Adds what is new in an object that somebody trusted sent.
  mutating func add(_ object: JSONObject) {
    for member in object.members where !Self.ofTheToken.contains(member.name) {
      guard claims.count < Self.maximumCount else { return }
      guard let value = Self.text(member.value), Self.isHarmless(value), Self.isHarmless(member.name),
        !claims.contains(where: { $0.name == member.name })
      else { continue }
      claims.append(VerifiedIdentity.Claim(name: member.name, value: value))
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): return text
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    case .bool(let truth): return truth ? "true" : "false"
    case .array(let values):
      let texts = values.compactMap { value in
        if case .string(let text) = value { text } else { nil }
      }
      return texts.count == values.count && !texts.isEmpty ? texts.joined(separator: " ") : nil
    case .null, .secret, .object: return nil
    }
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.utf8.count <= maximumValue
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
      }
  }
}
