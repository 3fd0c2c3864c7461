package import OAuth

/// Decides how a sign-in gets its answer, when nobody says how and when somebody does.
package struct FlowChoice {
  /// What somebody asked for and cannot have.
  package enum Refusal: Error, Equatable {
    /// The redirect URI does not lead to this machine.
    case notLoopback
    /// The redirect URI is not `https`.
    case notHTTPS
    /// There is no device authorization endpoint that could be used.
    case noDeviceGrant
  }

  private let redirect: RedirectURI.Destination
  private let offersDeviceGrant: Bool

  /// For a redirect of this kind, at an issuer that has a device authorization endpoint (RFC 8628 §4) or has none.
  package init(redirect: RedirectURI.Destination, offersDeviceGrant: Bool) {
    self.redirect = redirect
    self.offersDeviceGrant = offersDeviceGrant
  }

  /// What was asked for, or what fits the place of the browser; nil: no display, and no sign of another machine.
  package func flow(asked: SignInFlow?, browser: BrowserPlace?) throws(Refusal) -> SignInFlow {
    guard let asked else { return flow(browser) }
    switch (asked, redirect) {
    case (.loopback, .claimedHTTPS): throw .notLoopback
    case (.relay, .loopback): throw .notHTTPS
    case (.device, _) where !offersDeviceGrant: throw .noDeviceGrant
    case (.loopback, .loopback), (.relay, .claimedHTTPS), (.device, _), (.paste, _): return asked
    }
  }

  private func flow(_ browser: BrowserPlace?) -> SignInFlow {
    switch (browser, redirect) {
    case (.here, .loopback): .loopback
    case (.here, .claimedHTTPS): .relay
    case (.elsewhere, _), (nil, .claimedHTTPS): offersDeviceGrant ? .device : .paste
    // Nobody knows of another machine: somebody may open the address on this one by hand.
    case (nil, .loopback): offersDeviceGrant ? .device : .loopback
    }
  }
}

extension FlowChoice.Refusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notLoopback: "this redirect comes back by HTTPS; ask for relay or paste"
    case .notHTTPS: "this redirect comes back to this machine; ask for loopback or paste"
    case .noDeviceGrant: "this issuer has no device authorization endpoint that could be used"
    }
  }
}
