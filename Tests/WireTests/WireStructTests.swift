import JSON
import Testing
import Wire

/// Every structure of every message, from its own table of fields.
@Suite struct WireStructTests {
  @Test(arguments: structs.indices)
  func `a structure survives the wire`(index: Int) throws {
    let object = try sample(structs[index].fields)
    #expect(try throughTheWire(structs[index].init(strict: object)) == object)
  }

  @Test(arguments: structs.indices)
  func `absent and null mean the same in every optional field`(index: Int) throws {
    for field in structs[index].fields where field.isOptional {
      let absent = try structs[index].init(strict: sample(structs[index].fields, without: field.name))
      let null = try structs[index].init(strict: sample(structs[index].fields, replacing: field.name))
      #expect(try throughTheWire(absent) == throughTheWire(null))
    }
  }

  @Test(arguments: structs.indices)
  func `every required field is missed by name`(index: Int) throws {
    for field in structs[index].fields where !field.isOptional {
      let object = try sample(structs[index].fields, without: field.name)
      #expect(throws: JSONMemberError.missing(field.name)) { try structs[index].init(members: object) }
    }
  }

  @Test(arguments: structs.indices)
  func `every field of another kind is refused by name`(index: Int) throws {
    for field in structs[index].fields {
      let object = try sample(structs[index].fields, replacing: field.name, by: .number(1.5))
      #expect { try structs[index].init(strict: object) } throws: { error in
        guard case .wrongKind(field.name, _, found: .number) = error as? JSONMemberError else { return false }
        return true
      }
    }
  }

  @Test(arguments: structs.indices)
  func `an unknown field is refused in calls`(index: Int) throws {
    var object = try sample(structs[index].fields)
    object.append("newer", .bool(true))
    #expect(throws: JSONMemberError.unknown("newer")) { try structs[index].init(strict: object) }
  }

  @Test(arguments: structs.indices)
  func `an unknown field is passed over in replies`(index: Int) throws {
    var object = try sample(structs[index].fields)
    object.append("newer", .bool(true))
    #expect(try throughTheWire(structs[index].init(members: object)) == sample(structs[index].fields))
  }

  @Test(arguments: structs.indices)
  func `every number past its range is refused`(index: Int) throws {
    for field in structs[index].fields {
      guard case .integer(let range) = field.kind, range.lowerBound > .min else { continue }
      let object = try sample(structs[index].fields, replacing: field.name, by: .integer(range.lowerBound - 1))
      #expect(throws: JSONMemberError.outOfRange(field.name, range)) { try structs[index].init(strict: object) }
    }
  }

  @Test(arguments: structs.indices)
  func `every text past its limit is refused`(index: Int) throws {
    for field in structs[index].fields {
      guard let (limit, value) = try oneTooLong(field.kind) else { continue }
      let object = try sample(structs[index].fields, replacing: field.name, by: value)
      #expect(throws: JSONMemberError.tooLong(field.name, limit: limit)) { try structs[index].init(strict: object) }
    }
  }

  @Test func `a registration inside a call is read as strictly`() throws {
    var registration = JSONObject()
    registration.append("newer", .bool(true))
    let object = try sample(Wire.SignIn.Parameters.fields, replacing: "registration", by: .object(registration))
    #expect(throws: JSONMemberError.unknown("newer")) { try Wire.SignIn.Parameters(strict: object) }
  }

  @Test func `a registration's text past its limit is refused`() throws {
    var registration = JSONObject()
    registration.append("issuer", .string(String(repeating: "a", count: Wire.Limit.text + 1)))
    let object = try sample(Wire.SignIn.Parameters.fields, replacing: "registration", by: .object(registration))
    #expect(throws: JSONMemberError.tooLong("issuer", limit: Wire.Limit.text)) {
      try Wire.SignIn.Parameters(strict: object)
    }
  }

  private func oneTooLong(_ kind: WireField.Kind) throws -> (limit: Int, value: JSONValue)? {
    switch kind {
    case .text(let limit): (limit, .string(String(repeating: "a", count: limit + 1)))
    case .secret(let limit): (limit, .secret(try box(String(repeating: "a", count: limit + 1))))
    case .array(.text, let limit): (limit, .array(Array(repeating: .string("a"), count: limit + 1)))
    case .array, .bool, .integer, .named: nil
    }
  }

  private func throughTheWire(_ value: any WireStruct) throws -> JSONObject {
    let frame = appended { buffer in buffer.appendReply(value) }.dropLast()
    guard case .result(let parameters, continues: false) = try reply(Array(frame)) else {
      Issue.record("not a result")
      return JSONObject()
    }
    return parameters
  }
}
