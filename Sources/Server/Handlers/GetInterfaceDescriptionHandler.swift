package import Wire

/// `org.varlink.service.GetInterfaceDescription`: the text that describes an interface.
package struct GetInterfaceDescriptionHandler: MethodHandler {
  package typealias Method = Wire.GetInterfaceDescription

  package let worksWhileLocked = true

  package init() {}

  package func handle(_ parameters: Method.Parameters, _ caller: Caller) -> Outcome<Method.Reply> {
    guard let text = ServiceDescription.description(of: parameters.interface) else {
      return .refused(.service(.interfaceNotFound(parameters.interface)))
    }
    return .now(Method.Reply(description: text))
  }
}
