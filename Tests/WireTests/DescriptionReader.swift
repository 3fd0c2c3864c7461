/// What a varlink interface description says, as far as tests compare it: names, fields and their types.
struct DescriptionReader {
  /// A field as `name: type`.
  typealias Fields = [String]

  private(set) var interface = ""
  private(set) var types: [String: Fields] = [:]
  private(set) var methods: [String: (parameters: Fields, reply: Fields)] = [:]
  private(set) var errors: [String: Fields] = [:]

  private var tokens: ArraySlice<String>

  init(_ text: String) throws {
    tokens = Self.tokens(of: text)
    while let keyword = tokens.popFirst() {
      let name = try next()
      switch keyword {
      case "interface": interface = name
      case "type": types[name] = try fields()
      case "error": errors[name] = try fields()
      case "method":
        let parameters = try fields()
        guard try next() == "->" else { throw Malformed(after: name) }
        methods[name] = (parameters, try fields())
      default: throw Malformed(after: keyword)
      }
    }
  }

  struct Malformed: Error {
    let after: String
  }

  private mutating func next() throws -> String {
    guard let token = tokens.popFirst() else { throw Malformed(after: "the last line") }
    return token
  }

  private mutating func fields() throws -> Fields {
    guard try next() == "(" else { throw Malformed(after: "a name") }
    var fields: Fields = []
    while tokens.first != ")" {
      let name = try next()
      guard try next() == ":" else { throw Malformed(after: name) }
      fields.append("\(name): \(try next())")
      if tokens.first == "," { tokens.removeFirst() }
    }
    tokens.removeFirst()
    return fields
  }

  private static func tokens(of text: String) -> ArraySlice<String> {
    var tokens: [String] = []
    for line in text.split(separator: "\n") {
      var word = ""
      for character in line.prefix(while: { $0 != "#" }) + " " {
        guard "():, ".contains(character) else {
          word.append(character)
          continue
        }
        if !word.isEmpty { tokens.append(word) }
        word = ""
        if character != " " { tokens.append(String(character)) }
      }
    }
    return tokens[...]
  }
}
