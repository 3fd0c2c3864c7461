import CSystemd

/// A message being written. Owned by this value and given back to the library when it goes.
@safe struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  /// The answer to a call.
  init(replyTo call: OpaquePointer) throws(BusError) {
    var message: OpaquePointer?
    try unsafe self.init(sd_bus_message_new_method_return(call, &message), &message, "sd_bus_message_new_method_return")
  }

  /// A signal to whoever listens.
  init(signal member: String, of interface: String, at path: String, on bus: OpaquePointer) throws(BusError) {
    var message: OpaquePointer?
    try unsafe self.init(
      sd_bus_message_new_signal(bus, &message, path, interface, member), &message, "sd_bus_message_new_signal")
  }

  private init(_ result: CInt, _ made: inout OpaquePointer?, _ call: String) throws(BusError) {
    try BusError.check(result, call)
    guard let message = unsafe made else { throw BusError(call: call, code: 0) }
    unsafe self.message = message
  }

  deinit { unsafe sd_bus_message_unref(message) }

  /// Queues it; what the socket does not take now leaves later.
  func send(on bus: OpaquePointer) throws(BusError) {
    try BusError.check(unsafe sd_bus_send(bus, message, nil), "sd_bus_send")
  }

  func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .string(let text):
      try BusError.check(unsafe sd_bus_message_append_basic(message, Self.code("s"), text), Self.appending)
    case .boolean(let flag):
      var word: CInt = flag ? 1 : 0
      try BusError.check(unsafe sd_bus_message_append_basic(message, Self.code("b"), &word), Self.appending)
    case .unsigned(var number):
      try BusError.check(unsafe sd_bus_message_append_basic(message, Self.code("u"), &number), Self.appending)
    case .array(let element, let elements):
      try enclose("a", element) { () throws(BusError) in for each in elements { try append(each) } }
    case .structure(let members):
      try enclose("r", members.map(\.signature).joined()) { () throws(BusError) in
        for each in members { try append(each) }
      }
    case .properties(let properties):
      try enclose("a", "{sv}") { () throws(BusError) in for each in properties { try append(each) } }
    }
  }

  private func append(_ property: BusValue.Property) throws(BusError) {
    try enclose("e", "sv") { () throws(BusError) in
      try append(.string(property.name))
      try enclose("v", property.value.signature) { () throws(BusError) in try append(property.value) }
    }
  }

  private func enclose(_ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void) throws(BusError)
  {
    try BusError.check(
      unsafe sd_bus_message_open_container(message, Self.code(type), contents), "sd_bus_message_open_container")
    try body()
    try BusError.check(unsafe sd_bus_message_close_container(message), "sd_bus_message_close_container")
  }

  private static let appending = "sd_bus_message_append_basic"
  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
}
