import OAuth
import SignIn
import Testing

/// How a sign-in gets its answer, row by row.
@Suite struct FlowChoiceTests {
  private static let loopback = RedirectURI.Destination.loopback(host: "localhost", port: 4711)

  @Test(
    arguments: [
      (loopback, BrowserPlace.here, false, SignInFlow.loopback), (loopback, .here, true, .loopback),
      (loopback, .elsewhere, false, .paste), (loopback, .elsewhere, true, .device),
      (loopback, nil, false, .loopback), (loopback, nil, true, .device),
      (.claimedHTTPS, .here, false, .relay), (.claimedHTTPS, .here, true, .relay),
      (.claimedHTTPS, .elsewhere, false, .paste), (.claimedHTTPS, .elsewhere, true, .device),
      (.claimedHTTPS, nil, false, .paste), (.claimedHTTPS, nil, true, .device),
    ] as [(RedirectURI.Destination, BrowserPlace?, Bool, SignInFlow)])
  func `nobody says how`(
    redirect: RedirectURI.Destination, browser: BrowserPlace?, offersDeviceGrant: Bool, flow: SignInFlow
  ) throws {
    let choice = FlowChoice(redirect: redirect, offersDeviceGrant: offersDeviceGrant)
    #expect(try choice.flow(asked: nil, browser: browser) == flow)
  }

  @Test(
    arguments: [
      (loopback, SignInFlow.loopback, false, nil), (loopback, .relay, false, .notHTTPS),
      (loopback, .device, false, .noDeviceGrant), (loopback, .device, true, nil), (loopback, .paste, false, nil),
      (.claimedHTTPS, .loopback, false, .notLoopback), (.claimedHTTPS, .relay, false, nil),
      (.claimedHTTPS, .device, false, .noDeviceGrant), (.claimedHTTPS, .device, true, nil),
      (.claimedHTTPS, .paste, false, nil),
    ] as [(RedirectURI.Destination, SignInFlow, Bool, FlowChoice.Refusal?)])
  func `what is asked for is done wherever the browser is, or refused`(
    redirect: RedirectURI.Destination, asked: SignInFlow, offersDeviceGrant: Bool, refusal: FlowChoice.Refusal?
  ) throws {
    let choice = FlowChoice(redirect: redirect, offersDeviceGrant: offersDeviceGrant)
    for browser in [BrowserPlace.here, .elsewhere, nil] {
      do throws(FlowChoice.Refusal) {
        #expect(try choice.flow(asked: asked, browser: browser) == asked && refusal == nil)
      } catch {
        #expect(error == refusal)
      }
    }
  }
}
