package import JSON

/// An error of `org.varlink.service`, as every varlink service has them.
package enum ServiceError: Error, Equatable, Sendable {
  case interfaceNotFound(String)
  case methodNotFound(String)
  case methodNotImplemented(String)
  /// A parameter that is missing, unknown, or of another type; by its name.
  case invalidParameter(String)
  case permissionDenied
  /// The method streams, and the call did not ask for `more`.
  case expectedMore

  /// The name, without the interface.
  package var name: String {
    switch self {
    case .interfaceNotFound: "InterfaceNotFound"
    case .methodNotFound: "MethodNotFound"
    case .methodNotImplemented: "MethodNotImplemented"
    case .invalidParameter: "InvalidParameter"
    case .permissionDenied: "PermissionDenied"
    case .expectedMore: "ExpectedMore"
    }
  }

  /// Reads an error by its full name; nil when the name is none of these.
  package init?(name: String, parameters: JSONObject) throws(JSONMemberError) {
    let prefix = ServiceDescription.name + "."
    guard name.hasPrefix(prefix) else { return nil }
    switch name.dropFirst(prefix.count) {
    case "InterfaceNotFound": self = .interfaceNotFound(try parameters.string("interface"))
    case "MethodNotFound": self = .methodNotFound(try parameters.string("method"))
    case "MethodNotImplemented": self = .methodNotImplemented(try parameters.string("method"))
    case "InvalidParameter": self = .invalidParameter(try parameters.string("parameter"))
    case "PermissionDenied": self = .permissionDenied
    case "ExpectedMore": self = .expectedMore
    default: return nil
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .interfaceNotFound(let name): writer.member("interface", name)
    case .methodNotFound(let name), .methodNotImplemented(let name): writer.member("method", name)
    case .invalidParameter(let name): writer.member("parameter", name)
    case .permissionDenied, .expectedMore: break
    }
  }
}
