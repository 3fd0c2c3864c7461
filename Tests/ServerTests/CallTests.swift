import Server
import Testing
import Wire

/// Which calls are answered, and with what.
@Suite struct CallTests {
  @Test(arguments: [
    ("org.almoner.Almoner.Steal", "org.varlink.service.MethodNotFound"),
    ("org.almoner.Other.Steal", "org.varlink.service.InterfaceNotFound"),
    ("Steal", "org.varlink.service.InterfaceNotFound"),
  ])
  func `an unknown method gets varlink's error`(method: String, error: String) async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(#"{"method":"\#(method)"}"# + "\0")
    #expect(client.receive()?.contains(error) == true)
  }

  @Test func `an unknown parameter gets varlink's error, by name`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let answer = client.call("GetAccessToken", #"{"refreshToken":"please"}"#)
    #expect(
      answer == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"refreshToken"}}"#)
  }

  @Test func `a handler's error is the answer`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let answer = client.call("GetAccessToken", #"{"account":"nobody"}"#)
    #expect(answer?.contains("org.almoner.Almoner.UnknownAccount") == true)
  }

  @Test func `a method that streams wants to be asked for more`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    #expect(client.call("Monitor")?.contains("org.varlink.service.ExpectedMore") == true)
  }

  @Test func `a stream's last answer does not continue`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    #expect(client.call("Monitor", #"{"account":"1"}"#, more: true)?.contains(#""continues":true"#) == true)
    #expect(client.receive() == #"{"parameters":{"event":"locked"}}"#)
  }

  @Test(arguments: ["Unlock", "Steal", "Monitor"])
  func `a oneway call is never answered`(method: String) async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(RawClient.frame(method, "{}", #","oneway":true"#))
    #expect(client.call("GetAccessToken")?.contains("token-1") == true)
  }

  @Test func `the service describes itself`() async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    client.send(#"{"method":"org.varlink.service.GetInfo"}"# + "\0")
    #expect(client.receive()?.contains(#""interfaces":["org.varlink.service","org.almoner.Almoner"]"#) == true)
  }

  @Test(arguments: [
    ("org.almoner.Almoner", "method GetAccessToken("), ("org.varlink.service", "method GetInfo("),
    ("org.example.None", "org.varlink.service.InterfaceNotFound"),
  ])
  func `interfaces are described`(interface: String, part: String) async throws {
    let harness = try Harness()
    let client = try await harness.connect()
    let call = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(interface)"}}"#
    client.send(call + "\0")
    #expect(client.receive()?.contains(part) == true)
  }

  @Test func `while locked a method is refused before its parameters are read`() async throws {
    let harness = try Harness()
    harness.isLocked.isOn = true
    let client = try await harness.connect()
    let answer = client.call("GetAccessToken", #"{"surprise":1}"#)
    #expect(answer?.contains("org.almoner.Almoner.Locked") == true)
  }

  @Test func `while locked the methods of the short list work`() async throws {
    let harness = try Harness()
    harness.isLocked.isOn = true
    let client = try await harness.connect()
    #expect(client.call("Unlock") == #"{"parameters":{}}"#)
  }
}
