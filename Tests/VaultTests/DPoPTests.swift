import Synchronization
import Testing
import Time
import Vault

/// Tokens that are bound to a key (RFC 9449): every refresh is proven, and a nonce costs one repetition.
@Suite struct DPoPTests {
  private static let key = "the key"

  /// At the moment when the access token has run out.
  private func expired(_ policy: RotationPolicy = .unknown) throws -> World {
    let world = try World(policy: policy, dpopKey: Self.key)
    world.clock.advance(by: .seconds(301))
    return world
  }

  private func proofs(_ world: World) -> [String?] { world.carrier.state.withLock { $0.proofs } }

  private func proof(
    _ world: World, _ method: String = "GET", _ url: String = "https://api.test/x?q=1", nonce: String? = nil
  ) async throws(VaultError) -> String? {
    let target = try DPoPTarget(method: method, url: url, nonce: nonce)
    return text(
      try await world.vault.proof("work", target, AccessRequest(deadline: world.clock.now + .seconds(30))).proof)
  }

  @Test func `a refresh is proven with the key of the sign-in, which the next generation keeps`() async throws {
    let world = try expired()
    world.carrier.next(.land(200, "ok 2 300"), .land(200, "ok 3 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    world.clock.advance(by: .seconds(301))
    #expect(text(try await world.token().accessToken) == "at-3")
    #expect(proofs(world) == ["proof 1 the key", "proof 2 the key"])
    #expect(text(try world.stored()?.dpopKey) == Self.key)
  }

  @Test func `tokens that are not bound are refreshed without a proof`() async throws {
    let world = try World()
    world.carrier.next(.land(200, "ok 2 300"))
    _ = try await world.token(force: true)
    #expect(proofs(world) == [nil])
    #expect(try world.stored()?.dpopKey == nil)
  }

  @Test func `tokens that a refresh brings without binding them are stored and never served`() async throws {
    let world = try World(dpopKey: Self.key)
    let events = world.vault.hub.watch()
    world.carrier.next(.land(200, "free 2 300"))
    await #expect(throws: VaultError.signInRequired(account: "work", .unverified)) {
      try await world.token(force: true)
    }
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    await #expect(throws: VaultError.self) { try await proof(world) }
    let next = try World(after: world)
    await #expect(throws: VaultError.signInRequired(account: "work", .unverified)) { try await next.token() }
    #expect(world.carrier.sent == 1 && next.carrier.sent == 0)
    #expect(await world.events(events).contains { $0.detail?.contains("did not bind the tokens") == true })
  }

  @Test func `a narrowed token that is not bound is its caller's error alone, and the refresh token is kept`()
    async throws
  {
    let world = try World(dpopKey: Self.key)
    world.carrier.next(.land(200, "free 2 300 mail"), .land(200, "ok 3 300 mail"))
    let mail = Narrowing(scopes: ["mail"], resource: nil)
    let error = VaultError.badRequest(
      field: "scopes", message: "the issuer did not bind the tokens to the key, as dpop=true demands")
    for _ in 0..<2 { await #expect(throws: error) { try await world.token(mail) } }
    #expect(text(try await world.token().accessToken) == "at-1")
    await world.stored(generation: 2)
    #expect(text(try world.stored()?.tokens?.refreshToken) == "rt-2")
    world.clock.advance(by: .seconds(61))
    #expect(text(try await world.token(mail).accessToken) == "at-3")
  }

  @Test(.timeLimit(.minutes(1)))
  func `B20 a nonce that is wanted costs one repetition, with a proof of its own`() async throws {
    let world = try expired()
    world.carrier.next(.land(401, ""), .land(200, "ok 2 300"))
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 2)
    #expect(proofs(world) == ["proof 1 the key", "proof 2 the key"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `B20 it is repeated once and not again, and the token is as good as before`() async throws {
    let world = try expired()
    world.carrier.next(.land(401, ""), .land(401, ""), .land(200, "ok 2 300"))
    await #expect(throws: VaultError.self) { try await world.token() }
    #expect(world.carrier.sent == 2)
    world.clock.advance(by: .seconds(5))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  @Test(.timeLimit(.minutes(1)))
  func `B20 the repetition is the first sending that counts`() async throws {
    let world = try expired(.didit)
    world.carrier.next(.land(401, ""), .lost, .land(200, "ok 2 300"))
    let asking = Task { try await world.token(timeout: 60) }
    await world.clock.sleepers(2)
    guard case .sending(let intent) = world.intent else {
      Issue.record("no intent")
      return
    }
    #expect(intent.sends == 1)
    world.clock.advance(by: .seconds(16))
    #expect(text(try await asking.value.accessToken) == "at-2")
  }

  @Test(.timeLimit(.minutes(1)))
  func `B20 of a repetition whose answer is lost nothing is known, as of any`() async throws {
    let world = try expired()
    world.carrier.next(.land(401, ""), .lost)
    await #expect(throws: VaultError.signInRequired(account: "work", .uncertain)) { try await world.token() }
    #expect(world.carrier.sent == 2)
  }

  @Test func `B20 the next daemon reads that a nonce was wanted, and sends`() async throws {
    let world = try expired()
    world.leaveSending(pad: world.carrier.answer(401, ""))
    world.carrier.next(.land(200, "ok 2 300"))
    await #expect(throws: VaultError.self) { try await world.token() }
    world.clock.advance(by: .seconds(5))
    #expect(text(try await world.token().accessToken) == "at-2")
    #expect(world.carrier.sent == 1)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["", "none"])
  func `B20 a proof that is wanted of an account without a key is a fault of the configuration, and sent once`(
    _ body: String
  ) async throws {
    let world = try World()
    world.carrier.next(.land(401, body), .land(200, "ok 2 300"))
    world.clock.advance(by: .seconds(301))
    let error = await #expect(throws: VaultError.self) { try await world.token() }
    guard case .misconfigured("work", let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("dpop=true"))
    #expect(world.carrier.sent == 1)
    world.clock.advance(by: .seconds(60))
    #expect(text(try await world.token().accessToken) == "at-2")
  }

  @Test func `B20 a proof that is refused without a nonce is not repeated at once`() async throws {
    let world = try expired()
    world.carrier.next(.land(401, "none"), .land(200, "ok 2 300"))
    let error = await #expect(throws: VaultError.self) { try await world.token() }
    guard case .temporary? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(world.carrier.sent == 1)
  }

  @Test func `a caller gets a proof for its own request, with the token that it is for`() async throws {
    let world = try World(dpopKey: Self.key)
    #expect(try await proof(world) == "GET https://api.test/x?q=1 - at-1 the key")
    #expect(try await proof(world, nonce: "n-1") == "GET https://api.test/x?q=1 n-1 at-1 the key")
    world.clock.advance(by: .seconds(301))
    world.carrier.next(.land(200, "ok 2 300"))
    #expect(try await proof(world, "POST") == "POST https://api.test/x?q=1 - at-2 the key")
  }

  @Test func `without a key there is nothing to prove`() async throws {
    let world = try World()
    let error = await #expect(throws: VaultError.self) { try await proof(world) }
    guard case .unsupported(account: "work", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `who is locked or signed out proves nothing`() async throws {
    let world = try World(dpopKey: Self.key)
    _ = try await proof(world)
    await world.vault.lock()
    await #expect(throws: VaultError.locked(account: "work")) { try await proof(world) }
    let other = try World(dpopKey: Self.key)
    _ = try await proof(other)
    _ = try await other.vault.signOut("work")
    await #expect(throws: VaultError.self) { try await proof(other) }
  }

  @Test(
    arguments: [
      ("get", "https://api.test/", nil, "method"), ("", "https://api.test/", nil, "method"),
      ("G\r\nX:", "https://api.test/", nil, "method"), ("GET", "http://api.test/", nil, "url"),
      ("GET", "/x", nil, "url"), ("GET", "https://api.test/#f", nil, "url"), ("GET", "https://api.test/", "", "nonce"),
      ("GET", "https://api.test/", "a\"b", "nonce"), ("GET", "https://api.test/", "a b", "nonce"),
      ("GET", "https://api.test/" + String(repeating: "x", count: 2048), nil, "url"),
      ("GET", "https://api.test/", String(repeating: "n", count: 513), "nonce"),
    ] as [(String, String, String?, String)])
  func `what cannot stand in a proof is refused by name`(
    _ method: String, _ url: String, _ nonce: String?, _ field: String
  ) throws {
    let error = #expect(throws: VaultError.self) { try DPoPTarget(method: method, url: url, nonce: nonce) }
    guard case .badRequest(field, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
