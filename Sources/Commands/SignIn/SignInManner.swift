/// How a sign-in is to go, as the command line says.
struct SignInManner: Sendable {
  /// How the answer may come.
  enum Flow: String, CaseIterable, Sendable { case loopback, relay, device, paste }

  /// Open a browser, or only print the address.
  let opensBrowser: Bool
  /// How the answer is to come; nil: the daemon chooses what fits.
  let flow: Flow?
  /// Do not ask what could be answered with yes.
  let agreesToAll: Bool
}
