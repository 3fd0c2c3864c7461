package import Secrets

/// Reads JSON texts (RFC 8259), bounded and strictly.
///
/// A string that belongs to a member in `secretMembers`, at any depth, goes from the input straight into the arena as
/// ``JSONValue/secret(_:)`` and is never a `String`; so does every string inside such a member's array or object.
package enum JSONReader {
  /// Reads exactly one value, with white space around it at most.
  package static func parse(
    _ bytes: RawSpan, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONValue {
    guard bytes.byteCount <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
    var scanner = JSONScanner(bytes, limits: limits, secretMembers: secretMembers)
    return try scanner.text()
  }

  /// Reads a text that is itself secret, such as a token response, where it lies.
  package static func parse(
    _ secret: borrowing SecretBytes, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONValue {
    try parse(secret.bytes, limits: limits, secretMembers: secretMembers)
  }

  /// Reads a text that is itself secret, such as a token response, where it lies.
  package static func parse(
    _ box: SecretBox, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONValue {
    try parse(box.secret, limits: limits, secretMembers: secretMembers)
  }

  /// Reads from memory that somebody else owns.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONValue {
    try unsafe parse(RawSpan(_unsafeBytes: bytes), limits: limits, secretMembers: secretMembers)
  }

  /// Like `parse`, for a text that has to be an object: ``JSONError/Kind/notAnObject`` otherwise.
  package static func parseObject(
    _ bytes: RawSpan, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONObject {
    guard case .object(let object) = try parse(bytes, limits: limits, secretMembers: secretMembers) else {
      throw JSONError(.notAnObject, at: 0)
    }
    return object
  }

  /// Like `parse`, for a secret text that has to be an object.
  package static func parseObject(
    _ box: SecretBox, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
  ) throws(JSONError) -> JSONObject {
    try parseObject(of: box.secret, limits: limits, secretMembers: secretMembers)
  }

  private static func parseObject(
    of secret: borrowing SecretBytes, limits: JSONLimits, secretMembers: Set<String>
  ) throws(JSONError) -> JSONObject {
    try parseObject(secret.bytes, limits: limits, secretMembers: secretMembers)
  }
}
