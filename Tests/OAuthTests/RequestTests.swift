import OAuth
import Secrets
import Testing

struct RequestTests {
  @Test func `an authorization request escapes what it must`() throws {
    let request = AuthorizationRequest(
      endpoint: try WebURL("https://i.example/sign-in"),
      parameters: [Parameter("redirect_uri", "http://localhost:1/a?b=c&d"), Parameter("state", secret: try box("s~1"))])
    #expect(
      request.url == "https://i.example/sign-in?redirect_uri=http%3A%2F%2Flocalhost%3A1%2Fa%3Fb%3Dc%26d&state=s~1")
  }

  @Test func `an endpoint's own query stays in front`() throws {
    let request = AuthorizationRequest(
      endpoint: try WebURL("https://i.example/a?p=1"), parameters: [Parameter("x", "é")])
    #expect(request.url == "https://i.example/a?p=1&x=%C3%A9")
  }

  @Test func `a request that no browser should be given is refused`() throws {
    let parameter = Parameter("x", String(repeating: "x", count: AuthorizationRequest.maximumCount))
    #expect(AuthorizationRequest(endpoint: try WebURL("https://i.example"), parameters: [parameter]).url == nil)
  }

  @Test func `a code request as JSON has the fields of its grant and no other`() throws {
    let request = TokenRequest.code(
      try box("c\"1"), verifier: try box("v"), redirectURI: "https://a.example/cb", clientID: nil)
    #expect(
      text(try request.jsonBody())
        == #"{"grant_type":"authorization_code","code":"c\"1","code_verifier":"v","redirect_uri":"https://a.example/cb"}"#
    )
  }

  @Test func `a code request names the resource`() throws {
    let body = try TokenRequest.code(
      box("c"), verifier: box("v"), redirectURI: "https://a.example/cb", clientID: "me", resource: "urn:x:y"
    ).formBody()
    #expect(
      text(body) == "grant_type=authorization_code&code=c&code_verifier=v&redirect_uri=https%3A%2F%2Fa.example%2Fcb"
        + "&resource=urn%3Ax%3Ay&client_id=me")
  }

  @Test func `a pushed request's name and life are read`() throws {
    let body = try box(#"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc","expires_in":60}"#)
    let response = try #require(PushedAuthorizationResponse(reading: body))
    #expect(response.requestURI == "urn:ietf:params:oauth:request_uri:6esc" && response.lifetime == 60)
  }

  @Test(arguments: [
    "", "<html>", "{}", #"{"request_uri":"urn:x:y"}"#, #"{"request_uri":"urn:x:y","expires_in":0}"#,
    #"{"request_uri":"urn:x:y","expires_in":"60"}"#, #"{"request_uri":"a b","expires_in":60}"#,
    #"{"request_uri":7,"expires_in":60}"#,
  ])
  func `an answer without name or life is none`(text: String) throws {
    #expect(PushedAuthorizationResponse(reading: try box(text)) == nil)
  }

  @Test func `a refresh request as a form is escaped`() throws {
    let body = try TokenRequest.refresh(box("a+b/c="), clientID: "me").formBody()
    #expect(text(body) == "grant_type=refresh_token&refresh_token=a%2Bb%2Fc%3D&client_id=me")
  }

  @Test(arguments: ["https://api.example", "urn:example:api", "https://api.example/v1?x=%20", "a+b-c.d:x"])
  func `a resource is any absolute URI`(text: String) { #expect(ResourceIndicator.isValid(text)) }

  @Test(arguments: ["", "api", "/v1", ":x", "https:", "1a:x", "https://a/#f", "https://a/ b", "https://a/é", "a_b:x"])
  func `a resource is no other text`(text: String) { #expect(!ResourceIndicator.isValid(text)) }

  @Test func `a revocation says which kind of token it brings`() throws {
    let body = try TokenRequest.revocation(of: box("r"), hint: "refresh_token", clientID: "me").formBody()
    #expect(text(body) == "token=r&token_type_hint=refresh_token&client_id=me")
  }
}
