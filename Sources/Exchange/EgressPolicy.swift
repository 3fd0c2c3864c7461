/// How a request may leave the machine. It comes from configuration only, never from the environment or a peer.
package struct EgressPolicy: Equatable, Sendable {
  /// A PEM file that replaces the system's certificate authorities, if configured.
  package var caFile: String?
  /// A proxy URL, if configured.
  package var proxy: String?
  /// Whether plain `http` to a loopback address is allowed: sandbox accounts, and then only to a listener of our uid.
  package var plainLoopback: Bool
  /// Whether only addresses that everybody reaches alike are connected to: none of this machine, of the link or of a
  /// private network. A configured proxy is exempt, which then decides for itself.
  package var publicOnly: Bool

  package init(
    caFile: String? = nil, proxy: String? = nil, plainLoopback: Bool = false, publicOnly: Bool = false
  ) {
    self.caFile = caFile
    self.proxy = proxy
    self.plainLoopback = plainLoopback
    self.publicOnly = publicOnly
  }
}
