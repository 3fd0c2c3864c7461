package import Secrets

/// Members as a type. Each comes twice: plain, where absence is ``JSONMemberError/missing(_:)``, and `ifPresent`, where
/// absent and `null` are nil. Another kind of value is ``JSONMemberError/wrongKind(_:expected:found:)`` in both.
extension JSONObject {
  package func string(_ name: String) throws(JSONMemberError) -> String {
    try require(string(ifPresent: name), name)
  }

  package func string(ifPresent name: String) throws(JSONMemberError) -> String? {
    guard let value = present(name) else { return nil }
    return try text(value, name)
  }

  /// An integer. A number with a fraction or exponent is none, even when it is whole.
  package func int(_ name: String) throws(JSONMemberError) -> Int64 {
    try require(int(ifPresent: name), name)
  }

  package func int(ifPresent name: String) throws(JSONMemberError) -> Int64? {
    guard let value = present(name) else { return nil }
    guard case .integer(let integer) = value else { throw wrong(value, name, .integer) }
    return integer
  }

  package func bool(_ name: String) throws(JSONMemberError) -> Bool {
    try require(bool(ifPresent: name), name)
  }

  package func bool(ifPresent name: String) throws(JSONMemberError) -> Bool? {
    guard let value = present(name) else { return nil }
    guard case .bool(let bool) = value else { throw wrong(value, name, .bool) }
    return bool
  }

  /// A string that was read as a secret.
  package func secret(_ name: String) throws(JSONMemberError) -> SecretBox {
    try require(secret(ifPresent: name), name)
  }

  package func secret(ifPresent name: String) throws(JSONMemberError) -> SecretBox? {
    guard let value = present(name) else { return nil }
    if case .string = value { throw .notASecret(name) }
    guard case .secret(let box) = value else { throw wrong(value, name, .string) }
    return box
  }

  package func object(_ name: String) throws(JSONMemberError) -> JSONObject {
    try require(object(ifPresent: name), name)
  }

  package func object(ifPresent name: String) throws(JSONMemberError) -> JSONObject? {
    guard let value = present(name) else { return nil }
    guard case .object(let object) = value else { throw wrong(value, name, .object) }
    return object
  }

  package func array(_ name: String) throws(JSONMemberError) -> [JSONValue] {
    try require(array(ifPresent: name), name)
  }

  package func array(ifPresent name: String) throws(JSONMemberError) -> [JSONValue]? {
    guard let value = present(name) else { return nil }
    guard case .array(let elements) = value else { throw wrong(value, name, .array) }
    return elements
  }

  /// An array of nothing but strings.
  package func strings(_ name: String) throws(JSONMemberError) -> [String] {
    try require(strings(ifPresent: name), name)
  }

  package func strings(ifPresent name: String) throws(JSONMemberError) -> [String]? {
    guard let elements = try array(ifPresent: name) else { return nil }
    return try elements.map { (element) throws(JSONMemberError) in try text(element, name) }
  }

  /// An array of nothing but objects.
  package func objects(_ name: String) throws(JSONMemberError) -> [JSONObject] {
    try require(objects(ifPresent: name), name)
  }

  package func objects(ifPresent name: String) throws(JSONMemberError) -> [JSONObject]? {
    guard let elements = try array(ifPresent: name) else { return nil }
    return try elements.map { (element) throws(JSONMemberError) in
      guard case .object(let object) = element else { throw wrong(element, name, .object) }
      return object
    }
  }

  private func present(_ name: String) -> JSONValue? {
    guard let value = self[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  private func text(_ value: JSONValue, _ name: String) throws(JSONMemberError) -> String {
    if case .secret = value { throw .unexpectedSecret(name) }
    guard case .string(let string) = value else { throw wrong(value, name, .string) }
    return string
  }

  private func require<T>(_ value: T?, _ name: String) throws(JSONMemberError) -> T {
    guard let value else { throw .missing(name) }
    return value
  }

  private func wrong(_ value: JSONValue, _ name: String, _ expected: JSONKind) -> JSONMemberError {
    .wrongKind(name, expected: expected, found: value.kind)
  }
}
