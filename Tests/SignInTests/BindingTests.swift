import Secrets
import SignIn
import Synchronization
import Testing
import Time
import Vault

/// Sign-ins whose tokens are bound to a key.
@Suite struct BindingTests {
  private let office: Office

  init() throws {
    office = try Office()
    office.issuer.state.withLock { $0.tokenType = "DPoP" }
  }

  private func signIn(_ code: String = "c") async throws -> SignInResult {
    let opened = try await office.begin(at: Office.binding)
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    _ = await office.listener?.come("code=\(code)&state=\(opened.state)")
    return try await waiting.value
  }

  private var proofs: [String] { office.carrier.state.withLock { $0.proofs } }

  private func stored() throws -> StoredRecord? {
    try office.shelf.state.withLock { $0.kept.values.first }.map { try RecordCodec.decode($0) }
  }

  @Test func `a code is redeemed with a proof, and the key is kept with the tokens`() async throws {
    office.carrier.next(.land(200, "ok 1 300"))
    #expect(try await signIn().account.name == "work")
    #expect(proofs == ["proof 1"])
    #expect(try stored()?.dpopKey?.count == 96)
  }

  @Test func `B20 a nonce that is wanted costs the code one repetition at once`() async throws {
    office.carrier.next(.land(401, ""), .land(200, "ok 1 300"))
    #expect(try await signIn().account.name == "work")
    #expect(proofs == ["proof 1", "proof 2"] && office.carrier.sent == ["c", "c"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `B20 a sign-in without a key says what the issuer wants, and sends its code once`() async throws {
    office.carrier.next(.land(401, ""), .land(401, ""))
    let opened = try await office.begin()
    let waiting = Task { try await office.desk.outcome(opened.attempt) }
    _ = await office.listener?.come("code=c&state=\(opened.state)")
    let error = await #expect(throws: VaultError.self) { try await waiting.value }
    guard case .misconfigured(_, let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("dpop=true"))
    #expect(office.carrier.sent == ["c"] && office.shelf.isEmpty)
  }

  @Test func `tokens that were not bound are refused, ended, and leave nothing`() async throws {
    office.issuer.state.withLock { $0.tokenType = "Bearer" }
    office.carrier.next(.land(200, "ok 1 300"))
    let error = await #expect(throws: VaultError.self) { try await signIn() }
    #expect(error?.failure == .refused)
    #expect(office.shelf.isEmpty)
  }

  @Test func `the first refresh after a sign-in is proven too`() async throws {
    office.carrier.next(.land(200, "ok 1 300"), .land(200, "ok 2 300"))
    _ = try await signIn()
    let request = AccessRequest(isForced: true, deadline: office.clock.now + .seconds(30))
    #expect(text(try await office.vault.accessToken("work", request).accessToken) == "at-2")
    #expect(proofs == ["proof 1", "proof 2"])
  }

  @Test func `each sign-in has a key of its own`() async throws {
    office.carrier.next(.land(200, "ok 1 300"), .land(200, "ok 2 300"))
    _ = try await signIn()
    let first = text(try stored()?.dpopKey)
    _ = try await signIn("d")
    #expect(text(try stored()?.dpopKey) != first)
  }
}
