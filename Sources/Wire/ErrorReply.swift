package import JSON

/// An error as a call's answer: one of ours, one of varlink's, or one that is not known here.
package enum ErrorReply: Error, Equatable, Sendable {
  case almoner(AlmonerError)
  case service(ServiceError)
  /// A newer daemon's error, by its name.
  case unknown(String)

  /// What a parameter's error is answered with: varlink's `InvalidParameter`, or `BadRequest` when there is more to say.
  package init(_ error: JSONMemberError) {
    switch error {
    case .missing(let name), .wrongKind(let name, _, _), .notASecret(let name), .unexpectedSecret(let name),
      .unknown(let name):
      self = .service(.invalidParameter(name))
    case .outOfRange(let name, _), .tooLong(let name, _):
      self = .almoner(.badRequest(field: name, message: "\(error).", help: ""))
    }
  }

  init(name: String, parameters: JSONObject) throws(JSONMemberError) {
    if let error = try AlmonerError(name: name, parameters: parameters) {
      self = .almoner(error)
    } else if let error = try ServiceError(name: name, parameters: parameters) {
      self = .service(error)
    } else {
      self = .unknown(name)
    }
  }

  /// The name as a reply has it, with its interface.
  package var name: String {
    switch self {
    case .almoner(let error): InterfaceDescription.name + "." + error.name
    case .service(let error): ServiceDescription.name + "." + error.name
    case .unknown(let name): name
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .almoner(let error): error.write(to: &writer)
    case .service(let error): error.write(to: &writer)
    case .unknown: break
    }
  }
}
