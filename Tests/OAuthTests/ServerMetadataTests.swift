import OAuth
import Secrets
import Testing

struct ServerMetadataTests {
  private static let full = """
    {"issuer":"https://i.example/o","authorization_endpoint":"https://i.example/a","token_endpoint":"https://i.example/t",
    "jwks_uri":"https://i.example/k","revocation_endpoint":"https://i.example/r","response_types_supported":["code"],
    "code_challenge_methods_supported":["plain","S256"],"authorization_response_iss_parameter_supported":true}
    """

  private func read(_ text: String, plainLoopback: Bool = false) throws -> ServerMetadata {
    try ServerMetadata(
      reading: box(text), of: IssuerIdentifier("https://i.example/o", plainLoopback: false),
      policy: EndpointPolicy(plainLoopback: plainLoopback))
  }

  @Test func `all that is used is read`() throws {
    let metadata = try read(Self.full)
    #expect(metadata[.token]?.text == "https://i.example/t")
    #expect(metadata[.revocation]?.text == "https://i.example/r")
    #expect(metadata.promisesIssuerParameter)
  }

  @Test(arguments: ["https://i.example/o/", "https://I.example/o", "https://i.example", "http://i.example/o"])
  func `an issuer that differs in a single character is refused`(issuer: String) {
    #expect(throws: ServerMetadataError.otherIssuer) {
      _ = try read(Self.full.replacing("https://i.example/o\"", with: issuer + "\""))
    }
  }

  @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "revocation_endpoint"])
  func `an endpoint by plain http is refused`(name: String) {
    let text = Self.full.replacing("\"\(name)\":\"https", with: "\"\(name)\":\"http")
    #expect(throws: ServerMetadataError.insecure(name)) { _ = try read(text) }
  }

  @Test func `an endpoint on this machine passes where it is allowed`() throws {
    let text = Self.full.replacing("https://i.example/t", with: "http://localhost:9/t")
    #expect(try read(text, plainLoopback: true)[.token]?.text == "http://localhost:9/t")
    #expect(throws: ServerMetadataError.insecure("token_endpoint")) { _ = try read(text) }
  }

  @Test func `an endpoint that is missing is not there`() throws {
    #expect(try read(Self.full.replacing("jwks_uri", with: "other"))[.keys] == nil)
  }

  @Test func `an endpoint that is written out counts more than the metadata`() throws {
    let written = [ServerEndpoint.token: try WebURL("https://t.example/")]
    let metadata = try read(Self.full).overridden(by: written)
    #expect(metadata[.token]?.text == "https://t.example/" && metadata[.keys]?.text == "https://i.example/k")
  }

  @Test func `a demand for pushed requests is read`() throws {
    #expect(try !read(Self.full).requiresPushedAuthorization)
    let text = Self.full.replacing("{", with: #"{"require_pushed_authorization_requests":true,"#)
    #expect(try read(text).requiresPushedAuthorization)
  }

  @Test(arguments: [("\"S256\"", "code_challenge_methods_supported"), ("[\"code\"]", "response_types_supported")])
  func `an issuer that lists the lists without what is needed is refused`(part: String, name: String) {
    #expect(throws: ServerMetadataError.unsupported(name)) {
      _ = try read(Self.full.replacing(part, with: part.hasPrefix("[") ? "[]" : "\"S512\""))
    }
  }

  @Test func `a page instead of metadata is malformed`() {
    #expect(throws: ServerMetadataError.self) { _ = try read("<html>") }
  }

  @Test(arguments: [
    ("https://i.example", "https://i.example/.well-known/openid-configuration"),
    ("https://i.example/", "https://i.example/.well-known/openid-configuration"),
    ("https://i.example/o", "https://i.example/o/.well-known/openid-configuration"),
  ])
  func `OpenID metadata is found behind the issuer`(issuer: String, url: String) throws {
    #expect(ServerMetadata.openIDConfigurationURL(try IssuerIdentifier(issuer, plainLoopback: false)) == url)
  }

  @Test(arguments: [
    ("https://i.example", ["https://i.example/.well-known/oauth-authorization-server"]),
    (
      "https://i.example/o",
      [
        "https://i.example/.well-known/oauth-authorization-server/o",
        "https://i.example/o/.well-known/oauth-authorization-server",
      ]
    ),
  ])
  func `RFC 8414 metadata is found between host and path or behind it`(issuer: String, urls: [String]) throws {
    #expect(ServerMetadata.authorizationServerURLs(try IssuerIdentifier(issuer, plainLoopback: false)) == urls)
  }
}
