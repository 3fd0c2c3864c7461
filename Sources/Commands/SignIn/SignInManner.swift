/// How a sign-in is to go, as the command line says.
struct SignInManner: Sendable {
  /// Open a browser, or only print the address.
  let opensBrowser: Bool
  /// The redirected URL is pasted: the browser runs on another machine.
  let pastes: Bool
  /// Do not ask what could be answered with yes.
  let agreesToAll: Bool
}
