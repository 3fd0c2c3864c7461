package import JSON
package import Secrets

/// A reply as it stands on the wire.
package enum ReplyMessage: Equatable, Sendable {
  /// The parameters, unread; `continues` when another reply to the same call follows.
  case result(JSONObject, continues: Bool)
  case error(ErrorReply)

  /// Reads one frame, without its NUL.
  package init(_ frame: RawSpan) throws(ReplyError) {
    let object: JSONObject
    do {
      object = try JSONReader.parseObject(frame, limits: Wire.replyLimits, secretMembers: Wire.secretMembers)
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
    let parameters = try object.object(ifPresent: "parameters") ?? JSONObject()
    if let name = try object.string(ifPresent: "error") {
      self = .error(try ErrorReply(name: name, parameters: parameters))
    } else {
      self = .result(parameters, continues: try object.bool(ifPresent: "continues") ?? false)
    }
  }
}

/// Why a frame is no reply: whoever listens there does not speak this protocol.
package enum ReplyError: Error, Equatable, Sendable {
  case malformed(JSONError)
  case invalid(JSONMemberError)
}

extension WipedBuffer {
  /// Appends a reply and its NUL.
  package mutating func appendReply(_ reply: some WireStruct, continues: Bool = false) {
    appendObject { writer in
      writer.member("parameters", object: { reply.write(to: &$0) })
      if continues { writer.member("continues", true) }
    }
    append(0)
  }

  /// Appends an error and its NUL.
  package mutating func appendError(_ error: ErrorReply) {
    appendObject { writer in
      writer.member("error", error.name)
      writer.member("parameters", object: { error.write(to: &$0) })
    }
    append(0)
  }
}
