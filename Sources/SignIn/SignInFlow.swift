/// How a sign-in gets its answer.
package enum SignInFlow: String, CaseIterable, Sendable {
  /// A listener on this machine, for a loopback redirect (RFC 8252 §7.3).
  case loopback
  /// A page at a claimed HTTPS redirect (RFC 8252 §7.2), which hands the response to the handler of `almoner:`.
  case relay
  /// The device authorization grant (RFC 8628): any browser, anywhere, and nothing that comes back through it.
  case device
  /// The person copies the address that the browser ends on.
  case paste
}

/// Where the browser runs that the caller can open.
package enum BrowserPlace: String, CaseIterable, Sendable {
  /// On this machine, beside the handler of `almoner:` and the loopback listener.
  case here
  /// On another machine: the caller came over a network and has no display.
  case elsewhere
}
