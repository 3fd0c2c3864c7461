import JSON
package import Secrets

/// The answer to a pushed authorization request (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Equatable, Sendable {
  /// The most characters of a `request_uri`.
  package static let maximumLength = 1024

  /// `request_uri`: stands for the request in the browser, once.
  package let requestURI: String
  /// `expires_in` in seconds.
  package let lifetime: Int64

  /// Reads a body; nil when it is no such answer, or one that has no life.
  package init?(reading body: SecretBox) {
    let object: JSONObject
    do throws(JSONError) { object = try JSONReader.parseObject(body, limits: JSONLimits(members: 64)) } catch {
      return nil
    }
    guard case .string(let text)? = object["request_uri"], text.utf8.count <= Self.maximumLength,
      ResourceIndicator.isValid(text), case .integer(let lifetime)? = object["expires_in"], lifetime > 0
    else { return nil }
    requestURI = text
    self.lifetime = lifetime
  }

  /// `error` of a refusal (RFC 9126 §2.3), if it is one of RFC 6749's; nil when the body says nothing of the kind.
  package static func error(_ body: SecretBox) -> String? {
    guard case .object(let response) = TokenResponseReading(body), let error = response.error else { return nil }
    return error == .other ? nil : error.rawValue
  }
}
