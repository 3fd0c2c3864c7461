/// One method of an interface. A new one is a file in `Methods`, a line in ``Wire/methods``, and its description.
package protocol VarlinkMethod: SendableMetatype {
  associatedtype Parameters: WireStruct
  associatedtype Reply: WireStruct

  /// The interface it belongs to: `org.almoner.Almoner` unless said otherwise.
  static var interface: String { get }
  /// Its name without the interface.
  static var name: String { get }
  /// Whether it answers more than once, so that the caller has to ask for `more`.
  static var streams: Bool { get }
}

extension VarlinkMethod {
  package static var interface: String { InterfaceDescription.name }
  package static var streams: Bool { false }

  /// The name as a call has it.
  package static var qualifiedName: String { interface + "." + name }
}

extension Wire {
  /// Every method of `org.almoner.Almoner` and of `org.varlink.service`.
  package static let methods: [any VarlinkMethod.Type] = [
    GetAccessToken.self,
    Refresh.self,
    ReportRejected.self,
    GetIdentity.self,
    GetDPoPProof.self,
    GetMonitoringToken.self,
    CheckSession.self,
    CheckAssociation.self,
    RegisterClient.self,
    SignIn.self,
    CompleteSignIn.self,
    StepUp.self,
    SignOut.self,
    List.self,
    Status.self,
    Monitor.self,
    Lock.self,
    Unlock.self,
    GetInfo.self,
    GetInterfaceDescription.self,
  ]
}
