/// How long the daemon waits for a courier. All of it runs on CLOCK_BOOTTIME.
package struct CourierLimits: Sendable {
  /// For a slot while others fly.
  package var slot: Duration = .seconds(20)
  /// From its start to `ready`.
  package var ready: Duration = .seconds(5)
  /// From the request to `connected`: more than the courier itself takes for name, connection and TLS.
  package var connected: Duration = .seconds(12)
  /// From "go" to the outcome: more than the 35 s after which a courier ends itself.
  package var outcome: Duration = .seconds(37)

  package init() {}
}
