import Wire

/// All methods that are served, found by qualified name.
package struct MethodRegistry: Sendable {
  private let methods: [String: RegisteredMethod]
  private let interfaces: Set<String>

  /// Two handlers of one method are our own mistake.
  package init(_ handlers: [any MethodHandler]) {
    var methods: [String: RegisteredMethod] = [:]
    var interfaces: Set<String> = []
    for handler in handlers {
      let name = Self.register(handler, &interfaces)
      precondition(methods.updateValue(RegisteredMethod(handler), forKey: name) == nil, "\(name) is registered twice")
    }
    self.methods = methods
    self.interfaces = interfaces
  }

  /// The qualified names of all methods, sorted.
  package var names: [String] { methods.keys.sorted() }

  /// Finds the method of a call, or says with varlink's own errors what is missing.
  func find(_ name: String) throws(ErrorReply) -> RegisteredMethod {
    if let method = methods[name] { return method }
    guard let dot = name.lastIndex(of: ".") else { throw .service(.interfaceNotFound(name)) }
    let interface = String(name[..<dot])
    throw .service(interfaces.contains(interface) ? .methodNotFound(name) : .interfaceNotFound(interface))
  }

  private static func register(_ handler: some MethodHandler, _ interfaces: inout Set<String>) -> String {
    func names<Handler: MethodHandler>(_: Handler) -> (String, String) {
      (Handler.Method.interface, Handler.Method.qualifiedName)
    }
    let (interface, name) = names(handler)
    interfaces.insert(interface)
    return name
  }
}
