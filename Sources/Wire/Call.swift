package import JSON
package import Secrets

/// A call as it stands on the wire: a method's name, its parameters unread, and how it wants to be answered.
package struct Call: Equatable, Sendable {
  /// How many replies the caller wants.
  package enum Mode: Equatable, Sendable {
    case one
    /// `more`: as many as there are.
    case more
    /// `oneway`: none, not even an error.
    case none
  }

  /// Interface and method.
  package let method: String
  package let parameters: JSONObject
  package let mode: Mode

  package init(method: String, parameters: JSONObject, mode: Mode) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// Reads one frame, without its NUL.
  package init(_ frame: RawSpan) throws(CallError) {
    let object: JSONObject
    do {
      object = try JSONReader.parseObject(frame, limits: Wire.callLimits, secretMembers: Wire.secretMembers)
    } catch {
      throw .malformed(error)
    }
    do {
      try self.init(object)
    } catch {
      throw .invalid(error)
    }
  }

  private init(_ object: JSONObject) throws(JSONMemberError) {
    var (method, parameters, more, oneway) = (nil as String?, JSONObject(), false, false)
    for member in object.members {
      switch member.name {
      case "method": method = try object.string(member.name)
      case "parameters": parameters = try object.object(ifPresent: member.name) ?? parameters
      case "more": more = try object.bool(ifPresent: member.name) ?? false
      case "oneway": oneway = try object.bool(ifPresent: member.name) ?? false
      // Nothing here turns a connection into another protocol.
      case "upgrade": if try object.bool(ifPresent: member.name) == true { throw .unknown(member.name) }
      default: throw .unknown(member.name)
      }
    }
    guard let method else { throw .missing("method") }
    if more && oneway { throw .unknown("more") }
    self.init(method: method, parameters: parameters, mode: oneway ? .none : more ? .more : .one)
  }
}

/// Why a frame is no call.
package enum CallError: Error, Equatable, Sendable {
  /// Not JSON, or past a limit. Where the next message starts cannot be trusted: answer, then close.
  case malformed(JSONError)
  /// JSON, but not varlink's call. The connection may go on.
  case invalid(JSONMemberError)

  /// What to answer.
  package var reply: ErrorReply {
    switch self {
    case .malformed(let error):
      .almoner(.badRequest(field: "", message: "The message cannot be read: \(error).", help: ""))
    case .invalid(let error): ErrorReply(error)
    }
  }
}

extension WipedBuffer {
  /// Appends a call and its NUL.
  package mutating func appendCall<M: VarlinkMethod>(
    _ method: M.Type, _ parameters: M.Parameters, mode: Call.Mode = .one
  ) {
    appendObject { writer in
      writer.member("method", M.qualifiedName)
      writer.member("parameters", object: { parameters.write(to: &$0) })
      switch mode {
      case .one: break
      case .more: writer.member("more", true)
      case .none: writer.member("oneway", true)
      }
    }
    append(0)
  }
}
