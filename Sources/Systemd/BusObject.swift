import CSystemd

/// An object that answers method calls, without arguments, of one interface.
@safe package final class BusObject {
  package let path: String
  package let interface: String
  /// The XML between `<interface …>` and `</interface>` (D-Bus Specification, "Introspection Data Format").
  private let description: String
  private let answer: (_ member: String) -> BusValue?

  /// `answer` gives the reply to a member, or nil when there is no such member. It runs on the connection's thread.
  package init(
    path: String, interface: String, description: String, answer: @escaping (_ member: String) -> BusValue?
  ) {
    self.path = path
    self.interface = interface
    self.description = description
    self.answer = answer
  }

  /// Answers a call; 0 when it is none of ours, so that the library refuses it with the standard error.
  fileprivate func handle(_ call: OpaquePointer) throws(BusError) -> CInt {
    if unsafe sd_bus_message_is_method_call(call, "org.freedesktop.DBus.Introspectable", "Introspect") > 0 {
      return try unsafe reply(to: call, .string(introspection))
    }
    guard unsafe sd_bus_message_is_method_call(call, interface, nil) > 0,
      let member = unsafe sd_bus_message_get_member(call), let value = answer(unsafe String(cString: member))
    else { return 0 }
    return try unsafe reply(to: call, value)
  }

  private func reply(to call: OpaquePointer, _ value: BusValue) throws(BusError) -> CInt {
    guard let bus = unsafe sd_bus_message_get_bus(call) else { return 0 }
    let reply = try unsafe BusMessage(replyTo: call)
    try reply.append(value)
    try unsafe reply.send(on: bus)
    return 1
  }

  private var introspection: String {
    """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node><interface name="\(interface)">\(description)</interface></node>
    """
  }
}

/// Called by the library for each call to the object's path.
func handleBusCall(
  _ call: OpaquePointer?, _ object: UnsafeMutableRawPointer?, _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let call = unsafe call, let object = unsafe object else { return 0 }
  do throws(BusError) {
    return try unsafe Unmanaged<BusObject>.fromOpaque(object).takeUnretainedValue().handle(call)
  } catch {
    return -error.code
  }
}
