import Courier
import Exchange
import Testing
import Vault

/// Whom a courier takes for the issuer.
struct TLSTests {
  @Test func `a server of the configured authority is spoken to`() async throws {
    let server = try TLSServer()
    let answer = try await exchange(server, authority: server.authority)
    #expect(answer.status == 200 && answer.contentType == "text/html")
  }

  @Test func `a server of another authority is sent nothing`() async throws {
    let server = try TLSServer()
    let stranger = try TLSServer()
    await expectNotSent { try await exchange(server, authority: stranger.authority) }
    _ = try await exchange(stranger, authority: stranger.authority)
  }

  @Test func `a server of an authority that nobody configured is sent nothing`() async throws {
    let server = try TLSServer()
    await expectNotSent { try await exchange(server, authority: nil) }
  }

  @Test func `a server with another name's certificate is sent nothing`() async throws {
    let server = try TLSServer(name: "other.example")
    await expectNotSent { try await exchange(server, authority: server.authority) }
  }

  @Test func `a server that speaks only TLS 1.1 is sent nothing`() async throws {
    let server = try TLSServer("-tls1_1 -cipher ALL:@SECLEVEL=0")
    await expectNotSent { try await exchange(server, authority: server.authority) }
  }

  @Test func `B7 an issuer whose name is nobody's is sent nothing`() async throws {
    let harbour = try Harbour()
    // RFC 6761 §6.4: nobody ever has such a name.
    let request = OutgoingRequest(.get, "https://issuer.invalid/", egress: EgressPolicy())
    await expectNotSent { try await harbour.carrier.exchange(request) }
  }

  private func exchange(_ server: TLSServer, authority: String?) async throws -> HTTPAnswer {
    let harbour = try Harbour()
    let policy = EgressPolicy(caFile: authority)
    let url = "https://localhost:\(server.port)/"
    return try await harbour.carrier.exchange(OutgoingRequest(.get, url, egress: policy))
  }

  private func expectNotSent(_ body: () async throws -> HTTPAnswer) async {
    await #expect { _ = try await body() } throws: {
      if case .notSent? = $0 as? CarrierError { true } else { false }
    }
  }
}
