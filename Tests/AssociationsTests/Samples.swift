import Associations
import Exchange
import Secrets
import Testing
import Time

let host = sampleHost("app.example.org")
let client = AssociatedClient(
  issuer: "https://acme.auth.didit.me", clientID: "c1", callback: "https://app.example.org/signed-in")

func sampleHost(_ text: String) -> AssociationDomain {
  guard let host = AssociationDomain(text) else { preconditionFailure("a host of ours is canonical") }
  return host
}

func box(_ text: String) throws -> SecretBox {
  let bytes = Array(text.utf8)
  return SecretBox(unsafe try SecretBytes(copying: bytes.span.bytes))
}

/// A file that lists one app.
func listing(
  app: String = AssociationFile.app, issuer: String = client.issuer, clientID: String = "c1",
  callback: String = client.callback
) -> String {
  """
  {"version":1,"more":true,"apps":[{"app":"org.example.Other","issuer":"https://i.example","client_id":"x",\
  "callback":"https://app.example.org/other"},{"app":"\(app)","issuer":"\(issuer)","client_id":"\(clientID)",\
  "callback":"\(callback)","since":2026}]}
  """
}

func answer(
  _ status: Int = 200, _ body: String = listing(), type: String = "application/json", cut: Bool = false,
  _ clock: ManualClock = ManualClock()
) throws -> HTTPAnswer {
  HTTPAnswer(
    status: status, date: nil, retryAfter: nil, contentType: type, body: try box(body), isTruncated: cut,
    receivedAt: clock.now, receivedBoot: clock.bootID, receivedWall: clock.wall)
}
