import Associations
import Exchange
import Testing

@Suite struct AssociationFileTests {
  private func isListed(_ text: String, _ client: AssociatedClient = client, at site: String = "app.example.org") throws
    -> Bool
  {
    try AssociationFile(reading: box(text), of: sampleHost(site)).lists(client)
  }

  @Test func `G1 a site that lists app, issuer, client and callback lists us`() throws {
    #expect(try isListed(listing()))
  }

  @Test(arguments: [
    listing(app: "org.almoner.Other"), listing(issuer: "https://acme.auth.didit.me/"),
    listing(issuer: "https://acme.sandbox.auth.didit.me"), listing(clientID: "c2"),
    listing(callback: "https://app.example.org/signed-in/"), listing(callback: "https://app.example.org/*"),
    #"{"version":1,"apps":[]}"#,
  ])
  func `G1 a site that lists something else does not list us`(text: String) throws { #expect(try !isListed(text)) }

  @Test func `G1 what is listed under another domain does not count`() throws {
    #expect(try !isListed(listing(), at: "other.example.org"))
    #expect(try !isListed(listing(), at: "example.org"))
  }

  @Test func `a client id that we were never told is not compared`() throws {
    let unnamed = AssociatedClient(issuer: client.issuer, clientID: nil, callback: client.callback)
    #expect(try isListed(listing(clientID: "whatever"), unnamed))
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"version":1}"#, #"{"version":"1","apps":[]}"#, #"{"version":1,"apps":{}}"#,
    #"{"version":1,"apps":[{"app":"a"}]}"#, #"{"version":1,"apps":[],"apps":[]}"#, "<html></html>",
    #"{"version":1,"apps":[{"app":1,"issuer":"i","client_id":"c","callback":"b"}]}"#,
  ])
  func `what is not in the format is refused`(text: String) throws {
    let body = try box(text)
    #expect(throws: AssociationFileError.malformed) { try AssociationFile(reading: body, of: host) }
  }

  @Test func `another version is refused`() throws {
    let body = try box(#"{"version":2,"apps":[]}"#)
    #expect(throws: AssociationFileError.version) { try AssociationFile(reading: body, of: host) }
  }

  @Test(arguments: [
    ("https://app.example.org/cb", true), ("https://app.example.org:443/cb", true),
    ("http://app.example.org/cb", false),
    ("https://app.example.org:444/cb", false), ("https://App.example.org/cb", false),
    ("https://app.example.org.evil.example/cb", false), ("http://localhost:1/cb", false),
  ])
  func `a callback is on the site only by https and on exactly this host`(text: String, isOn: Bool) {
    #expect(AssociationFile.isCallback(text, on: host) == isOn)
  }

  @Test func `G3 only 200 with application json is a file, and only 404 and 410 say that there is none`() throws {
    guard case .file = AssociationFinding(try answer(), from: host) else {
      Issue.record("a good answer is no file")
      return
    }
    for status in [404, 410] { #expect(AssociationFinding(try answer(status), from: host) == .absent) }
    let useless = [
      try answer(301), try answer(302), try answer(307), try answer(204), try answer(403), try answer(500),
      try answer(200, type: "text/html"), try answer(200, type: "text/json"), try answer(200, type: ""),
      try answer(200, cut: true), try answer(200, "\u{1f}\u{8b}"), try answer(200, "{"),
    ]
    for answer in useless {
      guard case .unreachable = AssociationFinding(answer, from: host) else {
        Issue.record("status \(answer.status) \(answer.contentType) tells something")
        continue
      }
    }
  }
}
