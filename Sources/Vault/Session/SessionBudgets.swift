import Synchronization
package import Time

/// How often the session resource may still be asked: Didit allows 30 requests a minute and 300 an hour from one
/// address, shared by everything on the machine. The last few are kept for probes, on which a session may hang.
package final class SessionBudgets: Sendable {
  package enum Purpose: Sendable {
    case caller
    case probe
  }

  private struct Window {
    var asked: [BootInstant] = []
  }

  static let perMinute = (caller: 24, probe: 30)
  static let perHour = (caller: 240, probe: 300)

  private let windows = Mutex([String: Window]())

  package init() {}

  /// Takes one request out of the issuer's budget; false when there is none left for this purpose.
  package func take(_ purpose: Purpose, issuer: String, at now: BootInstant) -> Bool {
    windows.withLock { windows in
      var window = windows[issuer] ?? Window()
      window.asked.removeAll { now - $0 >= .seconds(3600) }
      let lastMinute = window.asked.count { now - $0 < .seconds(60) }
      let (minute, hour) =
        switch purpose {
        case .caller: (Self.perMinute.caller, Self.perHour.caller)
        case .probe: (Self.perMinute.probe, Self.perHour.probe)
        }
      let isLeft = lastMinute < minute && window.asked.count < hour
      if isLeft { window.asked.append(now) }
      windows[issuer] = window
      return isLeft
    }
  }
}
