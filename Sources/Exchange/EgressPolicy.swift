/// How a request may leave the machine. It comes from configuration only, never from the environment or a peer.
package struct EgressPolicy: Equatable, Sendable {
  /// A PEM file that replaces the system's certificate authorities, if configured.
  package var caFile: String?
  /// A proxy URL, if configured.
  package var proxy: String?
  /// Whether plain `http` to a loopback address is allowed: sandbox accounts, and then only to a listener of our uid.
  package var plainLoopback: Bool

  package init(caFile: String? = nil, proxy: String? = nil, plainLoopback: Bool = false) {
    self.caFile = caFile
    self.proxy = proxy
    self.plainLoopback = plainLoopback
  }
}
