/// For who has the browser elsewhere, although the answer comes to this machine: which flows need none here.
struct RemoteBrowserAdvice {
  let text: String

  /// Nil when the answer comes by another way, or there is a display here.
  init?(flow: String?, _ manner: SignInManner, _ environment: Environment) {
    guard flow == SignInManner.Flow.loopback.rawValue, BrowserPlace(environment) != .here else { return nil }
    // Unasked, the daemon takes the device flow wherever the issuer has it.
    let device = manner.flow == .loopback ? ", or --flow device where the issuer has it" : ""
    text =
      "It has to be a browser on this machine, where no display is found. For one elsewhere: --flow paste\(device)."
  }
}
