package import Wire

/// `org.varlink.service.GetInfo`: what this service is.
package struct GetInfoHandler: MethodHandler {
  package typealias Method = Wire.GetInfo

  package let worksWhileLocked = true
  private let version: String

  package init(version: String) { self.version = version }

  package func handle(_ parameters: NoFields, _ caller: Caller) -> Outcome<Wire.GetInfo.Reply> {
    .now(
      Wire.GetInfo.Reply(
        vendor: "Almoner", product: "almonerd", version: version, url: "",
        interfaces: [ServiceDescription.name, InterfaceDescription.name]))
  }
}
