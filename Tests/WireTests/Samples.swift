import JSON
import Secrets
import Wire

/// Every `type` of the description.
let types: [any WireStruct.Type] = [
  Wire.Account.self, Wire.Claim.self, Wire.Registration.self, Wire.SignedOut.self, Wire.AssociatedClient.self,
  Wire.Stray.self,
]

/// Every structure that a message may hold.
let structs: [any WireStruct.Type] =
  types + Wire.methods.flatMap { method in structures(of: method) }

private func structures<M: VarlinkMethod>(of method: M.Type) -> [any WireStruct.Type] {
  [M.Parameters.self, M.Reply.self]
}

/// One of each error.
let errors: [AlmonerError] = [
  .signInRequired(account: "a", reason: "r", message: "m", help: "h"), .locked(account: "a", message: "m", help: "h"),
  .temporary(account: "a", message: "m", retryAfter: 7, help: "h"),
  .unknownAccount(account: "a", message: "m", help: "h"),
  .stepUpRequired(account: "a", acrValues: ["x"], maxAge: 7, message: "m", help: "h"),
  .denied(account: "a", message: "m", help: "h"), .badRequest(field: "f", message: "m", help: "h"),
  .busy(message: "m", retryAfter: 7, help: "h"), .storage(account: "a", message: "m", help: "h"),
  .misconfigured(account: "a", message: "m", help: "h"), .signInFailed(reason: .timeout, message: "m", help: "h"),
  .stepUpFailed(account: "a", reason: .declined, message: "m", help: "h"),
  .monitoringUnavailable(account: "a", message: "m", help: "h"),
]

/// One of each error that every varlink service has.
let serviceErrors: [ServiceError] = [
  .interfaceNotFound("x"), .methodNotFound("x"), .methodNotImplemented("x"), .invalidParameter("x"), .permissionDenied,
  .expectedMore,
]

/// An object with every field, but for one that is left out or has another value.
func sample(
  _ fields: [WireField], without absent: String? = nil, replacing replaced: String? = nil, by value: JSONValue = .null
) throws -> JSONObject {
  var object = JSONObject()
  for field in fields where field.name != absent {
    object.append(field.name, field.name == replaced ? value : try sample(field.kind))
  }
  return object
}

private func sample(_ kind: WireField.Kind) throws -> JSONValue {
  switch kind {
  case .bool: .bool(true)
  case .integer(let range): .integer(max(range.lowerBound, min(range.upperBound, 7)))
  case .text: .string("text")
  case .secret: .secret(try box("secret"))
  case .named(let name): .object(try sample(types.first { "\($0)" == name }?.fields ?? []))
  case .array(let element, _): .array([try sample(element), try sample(element)])
  }
}

func box(_ text: String) throws -> SecretBox {
  let bytes = Array(text.utf8)
  return SecretBox(try unsafe SecretBytes(copying: bytes.span.bytes))
}

/// The bytes that a body appends.
func appended(_ body: (inout WipedBuffer) -> Void) -> [UInt8] {
  var buffer = WipedBuffer()
  body(&buffer)
  return unsafe buffer.withUnsafeBytes { unsafe Array($0) }
}

/// One frame, read as a call.
func call(_ frame: [UInt8]) throws(CallError) -> Call { try unsafe Call(frame.span.bytes) }

func call(_ text: String) throws(CallError) -> Call { try call(Array(text.utf8)) }

/// One frame, read as a reply.
func reply(_ frame: [UInt8]) throws(ReplyError) -> ReplyMessage { try unsafe ReplyMessage(frame.span.bytes) }

func reply(_ text: String) throws(ReplyError) -> ReplyMessage { try reply(Array(text.utf8)) }
