import JSON
import Secrets

extension FuzzTarget {
  /// What the reader takes, the writer writes and the reader reads back the same; the limits hold; reading with secrets
  /// in the arena says the same as reading without.
  static let json = FuzzTarget(name: "json") { bytes in
    let plain = reading(bytes, limits)
    let split = reading(bytes, limits, ["secret", "accessToken"])
    guard case .success(let value) = plain, case .success(let secretive) = split else {
      return require(plain == split, "a text is refused for the same reason whether it holds secrets or not")
    }
    require(bytes.count <= limits.bytes, "a text is no longer than its limit")
    checkLimits(value, depth: 0)
    checkSecrets(secretive, isSecret: false)
    let text = written(value)
    require(text == written(secretive), "a secret is written as the string that it is")
    guard case .success(let again) = reading(text, JSONLimits(bytes: 8 * limits.bytes, depth: limits.depth)) else {
      return require(false, "what is written can be read")
    }
    require(again == value && written(again) == text, "what is written reads back as the same value")
  }

  private static let limits = JSONLimits(bytes: 4096, depth: 6, stringBytes: 256, members: 24, elements: 64)

  private static func reading(
    _ bytes: [UInt8], _ limits: JSONLimits, _ secrets: Set<String> = []
  ) -> Result<JSONValue, JSONError> {
    do throws(JSONError) {
      return .success(unsafe try JSONReader.parse(bytes.span.bytes, limits: limits, secretMembers: secrets))
    } catch {
      require((0...bytes.count).contains(error.offset), "an error lies inside the text")
      return .failure(error)
    }
  }

  private static func written(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.finish().revealed
  }

  private static func checkLimits(_ value: JSONValue, depth: Int) {
    require(depth <= limits.depth, "nothing is nested deeper than its limit")
    switch value {
    case .null, .bool, .integer, .secret: break
    case .number(let number): require(number.isFinite, "a number is finite")
    case .string(let text): require(text.utf8.count <= limits.stringBytes, "a string is no longer than its limit")
    case .array(let elements):
      require(elements.count <= limits.elements, "an array has no more elements than its limit")
      for element in elements { checkLimits(element, depth: depth + 1) }
    case .object(let object):
      require(object.members.count <= limits.members, "an object has no more members than its limit")
      require(Set(object.members.map(\.name)).count == object.members.count, "no name occurs twice")
      for member in object.members {
        require(member.name.utf8.count <= limits.stringBytes, "a name is no longer than its limit")
        checkLimits(member.value, depth: depth + 1)
      }
    }
  }

  private static func checkSecrets(_ value: JSONValue, isSecret: Bool) {
    switch value {
    case .null, .bool, .integer, .number: break
    case .string: require(!isSecret, "a secret member's string is a secret")
    case .secret: require(isSecret, "only a secret member's string is a secret")
    case .array(let elements): for element in elements { checkSecrets(element, isSecret: isSecret) }
    case .object(let object):
      for member in object.members {
        checkSecrets(member.value, isSecret: isSecret || ["secret", "accessToken"].contains(member.name))
      }
    }
  }
}
