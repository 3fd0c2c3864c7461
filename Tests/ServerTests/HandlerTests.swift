import Server
import Testing
import Vault
import Wire

/// The daemon's methods as a client sees them.
@Suite struct HandlerTests {
  @Test func `every method of the interface is served, and no other`() throws {
    #expect(try ServedVault().registry.names == Wire.methods.map { $0.qualifiedName }.sorted())
  }

  @Test(arguments: ["{}", #"{"account":"work"}"#, #"{"account":"https://issuer.test/"}"#])
  func `a token is loaded once and then served from memory`(parameters: String) async throws {
    let client = try await ServedVault().connect()
    for _ in 0..<2 {
      let answer = client.call("GetAccessToken", parameters)
      #expect(answer?.contains(#""accessToken":"at-1","tokenType":"Bearer","account":"work""#) == true)
    }
  }

  @Test func `no answer holds the refresh token`() async throws {
    let client = try await ServedVault().connect()
    for method in ["GetAccessToken", "Refresh", "GetIdentity", "List", "Status", "SignOut"] {
      #expect(client.call(method)?.contains("rt-1") == false)
    }
  }

  @Test func `a forced refresh that fails is an error of Refresh, and a word beside the token`() async throws {
    let client = try await ServedVault().connect()
    #expect(
      client.call("GetAccessToken", #"{"force":true}"#)?.hasSuffix(#""refreshed":false,"hindrance":"quiet"}}"#) == true)
    let answer = client.call("Refresh")
    #expect(answer?.contains("org.almoner.Almoner.Temporary") == true)
    #expect(answer?.contains(#""message":"work: quiet""#) == true)
  }

  @Test func `an account that is not there is said to be unknown`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("GetAccessToken", #"{"account":"play"}"#)
    #expect(answer?.contains("org.almoner.Almoner.UnknownAccount") == true)
    #expect(answer?.contains(#""help":"almoner list""#) == true)
  }

  @Test func `where nobody is signed in a sign-in is shown with what it needs`() async throws {
    let client = try await ServedVault().connect()
    _ = client.call("SignOut")
    #expect(client.call("GetAccessToken")?.contains(#""help":"almoner login --publishable-key KEY"#) == true)
  }

  @Test func `the identity is the one that was verified`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("GetIdentity")
    #expect(answer?.contains(#""subject":"ada","claims":[{"name":"email","value":"ada@issuer.test"}]"#) == true)
  }

  @Test func `status tells of the daemon and its accounts`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("Status")
    #expect(answer?.contains(#""name":"work","issuer":"https://issuer.test""#) == true)
    #expect(answer?.contains(#""notes":["a note"]"#) == true)
  }

  @Test func `after Lock only the short list works, until Unlock`() async throws {
    let client = try await ServedVault().connect()
    #expect(client.call("Lock") == #"{"parameters":{}}"#)
    #expect(client.call("GetAccessToken")?.contains("org.almoner.Almoner.Locked") == true)
    #expect(client.call("List")?.contains("org.almoner.Almoner.Locked") == true)
    #expect(client.call("Status")?.contains(#""locked":true"#) == true)
    #expect(client.call("Unlock") == #"{"parameters":{}}"#)
    #expect(client.call("GetAccessToken")?.contains("at-1") == true)
  }

  @Test func `signing out wipes, and who watched the account hears it last`() async throws {
    let served = try ServedVault()
    let (client, watcher) = (try await served.connect(), try await served.connect())
    #expect(watcher.call("Monitor", #"{"account":"work"}"#, more: true)?.contains("watching") == true)
    #expect(client.call("SignOut")?.contains(#""wiped":true"#) == true)
    let last = watcher.receive()
    #expect(last?.contains(#""event":"signed-out","account":"work""#) == true)
    #expect(last?.contains("continues") == false)
    #expect(client.call("GetAccessToken")?.contains("org.almoner.Almoner.UnknownAccount") == true)
  }

  @Test func `one account and all cannot both be meant`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("SignOut", #"{"account":"work","all":true}"#)
    #expect(answer?.contains("org.almoner.Almoner.BadRequest") == true)
  }

  @Test(arguments: [#"{"maxAge":300}"#, #"{"acrValues":["mfa"]}"#, #"{"acrValues":["mfa"],"maxAge":0,"force":true}"#])
  func `a sign-in that does not suffice is said with what was asked`(parameters: String) async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("GetAccessToken", parameters)
    #expect(answer?.contains("org.almoner.Almoner.StepUpRequired") == true && answer?.contains("at-1") == false)
    #expect(answer?.contains(#""account":"work""#) == true)
    #expect(answer?.contains(#""acrValues":["mfa"]"#) == parameters.contains("mfa"))
    #expect(answer?.contains(#""maxAge":"#) == parameters.contains("maxAge"))
    // Whoever asks for nothing of the kind is served as before.
    #expect(client.call("GetAccessToken")?.contains("at-1") == true)
  }

  @Test(arguments: [
    (#"{"acrValues":["a b"]}"#, "acrValues"), (#"{"acrValues":[""]}"#, "acrValues"), (#"{"maxAge":-1}"#, "maxAge"),
    (#"{"maxAge":2592001}"#, "maxAge"),
  ])
  func `a challenge that cannot be meant is refused by field`(parameters: String, field: String) async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("GetAccessToken", parameters)
    #expect(answer?.contains("BadRequest") == true && answer?.contains("\"field\":\"\(field)\"") == true)
  }

  @Test func `an issuer without a step-up of its own says so`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("StepUp", #"{"action":"bank"}"#, more: true)
    #expect(answer?.contains(#"BadRequest","parameters":{"field":"","message":"work: "#) == true)
  }

  @Test(arguments: [
    (#"{"action":"pay"}"#, "action"), (#"{"action":"payout"}"#, "amount"),
    (#"{"action":"payout","amount":"1,50"}"#, "amount"),
    (#"{"action":"payout","amount":"1","currency":"eur"}"#, "currency"),
    (#"{"action":"bank","returnTo":"http://elsewhere.test/"}"#, "returnTo"),
  ])
  func `a step-up that cannot be meant is refused by field`(parameters: String, field: String) async throws {
    let client = try await ServedVault().connect()
    #expect(client.call("StepUp", parameters, more: true)?.contains("\"field\":\"\(field)\"") == true)
  }

  @Test func `a sign-in that cannot listen says so`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("SignIn", #"{"account":"work"}"#, more: true)
    #expect(answer?.contains(#""reason":"port-busy""#) == true)
    #expect(answer?.contains(#""help":"almoner login work""#) == true)
  }

  @Test func `a first sign-in whose name alone says too little is not told to begin with it`() async throws {
    let client = try await ServedVault().connect()
    let answer = client.call("SignIn", Self.first, more: true)
    #expect(answer?.contains(#""reason":"port-busy""#) == true)
    #expect(answer?.contains(#""help":"""#) == true)
  }

  @Test func `no tokens are said to be kept where there are none`() async throws {
    let trouble = VaultError.misconfigured(account: "new", message: "404")
    let first = try await ServedVault(listening: trouble).connect().call("SignIn", Self.first, more: true)
    #expect(first?.contains(#""message":"new: 404","help":"""#) == true)
    let known = VaultError.misconfigured(account: "work", message: "404")
    let again = try await ServedVault(listening: known).connect().call("SignIn", #"{"account":"work"}"#, more: true)
    #expect(again?.contains("work: 404; the tokens are kept") == true)
  }

  private static let first = #"{"account":"new","registration":{"issuer":"https://issuer.test"}}"#

  @Test func `a sign-in by paste gives its URL, and a stranger's URL changes nothing`() async throws {
    let served = try ServedVault()
    let (client, other) = (try await served.connect(), try await served.connect())
    let opened = client.call("SignIn", #"{"account":"work","flow":"paste"}"#, more: true)
    #expect(opened?.contains(#""url":"https://issuer.test/go""#) == true)
    let pasted = other.call("CompleteSignIn", #"{"attempt":"none","redirectedUrl":"http://localhost:1/cb?code=x"}"#)
    #expect(pasted?.contains("org.almoner.Almoner.BadRequest") == true)
  }
}
