import JSON
import Testing
import Wire

/// The descriptions and the code say the same.
@Suite struct InterfaceDescriptionTests {
  @Test(arguments: [InterfaceDescription.name, ServiceDescription.name])
  func `a description describes the interface it is served for`(interface: String) throws {
    let text = try #require(ServiceDescription.description(of: interface))
    #expect(try DescriptionReader(text).interface == interface)
  }

  @Test(arguments: [InterfaceDescription.name, ServiceDescription.name])
  func `the methods are those of the description`(interface: String) throws {
    let described = try DescriptionReader(try #require(ServiceDescription.description(of: interface)))
    let registered = Wire.methods.filter { $0.interface == interface }.map { $0.name }
    #expect(registered.sorted() == described.methods.keys.sorted())
  }

  @Test(arguments: Wire.methods.indices)
  func `a method has the fields of its description`(index: Int) throws {
    try expectDescribed(Wire.methods[index])
  }

  @Test func `the types are those of the description`() throws {
    let described = try DescriptionReader(InterfaceDescription.text)
    #expect(types.map { "\($0)" }.sorted() == described.types.keys.sorted())
  }

  @Test(arguments: types.indices)
  func `a type has the fields of its description`(index: Int) throws {
    let described = try DescriptionReader(InterfaceDescription.text)
    #expect(types[index].fields.map(text) == described.types["\(types[index])"])
  }

  @Test func `the errors are those of the description`() throws {
    let described = try DescriptionReader(InterfaceDescription.text)
    #expect(errors.map(\.name).sorted() == described.errors.keys.sorted())
  }

  @Test func `the service's errors are those of the description`() throws {
    let described = try DescriptionReader(ServiceDescription.text)
    #expect(serviceErrors.map(\.name).sorted() == described.errors.keys.sorted())
  }

  @Test(arguments: errors)
  func `an error has the fields of its description`(error: AlmonerError) throws {
    let described = try DescriptionReader(InterfaceDescription.text)
    #expect(try names(of: .almoner(error)).sorted() == described.errors[error.name]?.map(name).sorted())
  }

  @Test(arguments: serviceErrors)
  func `a service error has the fields of its description`(error: ServiceError) throws {
    let described = try DescriptionReader(ServiceDescription.text)
    #expect(try names(of: .service(error)) == described.errors[error.name]?.map(name))
  }

  @Test(arguments: [
    ("state: ", Wire.AccountState.all.map(\.rawValue)),
    ("Streams events: ", Wire.Event.all.dropFirst().map(\.rawValue)),
    ("A sign-in ended without an account: ", SignInFailure.all.map(\.rawValue)),
    ("A step-up ended without an approval: ", Wire.StepUpFailure.all.map(\.rawValue)),
  ])
  func `words are those of the description`(start: String, words: [String]) throws {
    let text = InterfaceDescription.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    let prose = text.split(separator: "\n# ").joined(separator: " ")
    #expect(prose.contains(start + words.joined(separator: ", ") + (start == "state: " ? "\n" : ".")))
  }

  private func expectDescribed<M: VarlinkMethod>(_ method: M.Type) throws {
    let text = try #require(ServiceDescription.description(of: M.interface))
    let described = try #require(try DescriptionReader(text).methods[M.name])
    #expect(M.Parameters.fields.map(self.text) == described.parameters)
    #expect(M.Reply.fields.map(self.text) == described.reply)
  }

  private func text(_ field: WireField) -> String { "\(field.name): \(field.typeText)" }

  private func name(_ field: String) -> String { String(field.prefix { $0 != ":" }) }

  private func names(of error: ErrorReply) throws -> [String] {
    try parameters(of: error).members.map(\.name)
  }
}
