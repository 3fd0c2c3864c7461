import Exchange
import JSON
import Secrets

/// A vendor's JSON answer beside OAuth, of which little is certain: read bounded, and looked into by name.
enum VendorAnswer {
  private static let limits = JSONLimits(
    bytes: HTTPAnswer.maximumBody, depth: 8, stringBytes: 16 << 10, members: 128, elements: 256)

  /// The object of the body, or nil when it is none, or was cut off.
  static func object(_ answer: HTTPAnswer, secretMembers: Set<String> = []) -> JSONObject? {
    guard !answer.isTruncated else { return nil }
    do throws(JSONError) {
      return try JSONReader.parseObject(answer.body, limits: limits, secretMembers: secretMembers)
    } catch {
      return nil
    }
  }

  /// The first of these members that was read as a secret.
  static func secret(_ object: JSONObject, _ names: [String]) -> SecretBox? {
    for name in names {
      if case .secret(let box)? = object[name] { return box }
    }
    return nil
  }

  /// The first of these members that is a text.
  static func text(_ object: JSONObject, _ names: [String]) -> String? {
    for name in names {
      if case .string(let text)? = object[name] { return text }
    }
    return nil
  }
}

/// The machine-readable word of an error body: `error` (RFC 6749 §5.2) or `code`.
enum IssuerErrorCode {
  /// The most characters of a code that is repeated to a person.
  static let maximum = 64

  /// The code, if it is plainly a word; anything else of the body is never repeated.
  static func read(_ answer: HTTPAnswer) -> String? {
    guard let object = VendorAnswer.object(answer), let code = VendorAnswer.text(object, ["error", "code"]),
      (1...maximum).contains(code.utf8.count),
      code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") })
    else { return nil }
    return code
  }
}
