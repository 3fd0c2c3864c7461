package import Exchange
package import Secrets

/// The loopback listener of one sign-in, as the desk sees it: a child process in the daemon, a script in tests.
package protocol CallbackListening: Sendable {
  /// The port that is bound on both loopback families.
  var port: UInt16 { get }
  /// The raw query of the next browser that came back, or nil when the listener is gone.
  func nextQuery() async -> SecretBox?
  /// What to tell the browser whose query came last.
  func send(_ verdict: CallbackFrame.Verdict)
  /// Ends the listening. The last page may still be fetched for a moment.
  func close()
  /// Returns when the listener is gone, and its port free.
  func gone() async
  /// Ends it at once, whatever it still has to show: somebody else needs the port.
  func giveWay() async
}

/// What a listener is to listen for.
package struct ListenRequest: Equatable, Sendable {
  /// `host:port` as registered; the host alone when the port is free.
  package let authority: String
  package let path: String
  /// Whether the issuer takes any port (RFC 8252 §7.3).
  package let anyPort: Bool
  package let life: Duration

  package init(authority: String, path: String, anyPort: Bool, life: Duration) {
    self.authority = authority
    self.path = path
    self.anyPort = anyPort
    self.life = life
  }
}
