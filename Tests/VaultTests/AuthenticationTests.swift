import Secrets
import Synchronization
import Testing
import Time
import Vault

/// What a resource demanded of a sign-in, held against what the ID token says (RFC 9470).
@Suite struct AuthenticationTests {
  private static let now = WallInstant(seconds: 1_800_000_000)

  private func shortfall(
    _ acr: [String], _ maxAge: Int64?, _ claims: [String: String], leeway: Duration = .zero
  ) throws -> String? {
    let claims = claims.map { VerifiedIdentity.Claim(name: $0.key, value: $0.value) }
    let identity = VerifiedIdentity(issuer: "https://issuer.test", subject: "ada", claims: claims)
    return try AuthenticationChallenge(acrValues: acr, maxAge: maxAge)
      .shortfall(of: identity, now: Self.now, leeway: leeway)
  }

  @Test(
    arguments: [
      ([], nil, [:], nil), (["a"], nil, ["acr": "a"], nil), (["b", "a"], nil, ["acr": "a"], nil),
      (["a"], nil, [:], "acr"), (["a"], nil, ["acr": "b"], "acr"), (["a"], nil, ["acr": "A"], "acr"),
      (["a"], nil, ["acr": "a b"], "acr"), (["a"], nil, ["amr": "a"], "acr"),
    ] as [([String], Int64?, [String: String], String?)])
  func `one of the classes has to be the token's`(
    acr: [String], maxAge: Int64?, claims: [String: String], missing: String?
  ) throws {
    let why = try shortfall(acr, maxAge, claims)
    #expect(missing.map { why?.contains("(\($0))") == true } ?? (why == nil))
  }

  @Test(
    arguments: [
      (60, 0, true), (60, 60, true), (60, 61, false), (0, 0, true), (0, 1, false), (60, -120, true), (60, -121, false),
    ] as [(Int64, Int64, Bool)])
  func `the sign-in may be no older than is asked, and not of the future`(
    maxAge: Int64, age: Int64, suffices: Bool
  ) throws {
    #expect((try shortfall([], maxAge, ["auth_time": "\(Self.now.seconds - age)"]) == nil) == suffices)
  }

  @Test(arguments: ["", "0", "-1", "soon", "1e9", "99999999999999999999"])
  func `a time that says nothing does not suffice`(time: String) throws {
    #expect(try shortfall([], 2_592_000, ["auth_time": time])?.contains("(auth_time)") == true)
  }

  @Test func `a fresh sign-in is judged with the clocks apart`() throws {
    let time = ["auth_time": "\(Self.now.seconds - 100)"]
    #expect(try shortfall([], 0, time) != nil)
    #expect(try shortfall([], 0, time, leeway: AuthenticationChallenge.leeway) == nil)
  }

  private func world(_ claims: [String: String]) throws -> World {
    let world = try World(isBare: true)
    let claims = claims.map { VerifiedIdentity.Claim(name: $0.key, value: $0.value) }
    try world.put(world.record(1, world.tokens(1), claims: claims))
    return world
  }

  @Test func `a sign-in that suffices is served without a refresh`() async throws {
    let world = try world(["acr": "mfa", "auth_time": "\(Self.now.seconds)"])
    try await world.vault.require(AuthenticationChallenge(acrValues: ["mfa"], maxAge: 60), of: "work")
    #expect(world.carrier.sent == 0)
  }

  @Test func `nobody is asked to prove more for a narrowed token that is not to be had`() async throws {
    let world = try World(narrows: false, isBare: true)
    let challenge = try AuthenticationChallenge(acrValues: ["mfa"], maxAge: nil)
    let error = await #expect(throws: VaultError.self) {
      try await world.vault.require(challenge, of: "work", narrowing: Narrowing(scopes: ["mail"], resource: nil))
    }
    guard case .badRequest("scopes", _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test func `no number of callers makes a refresh of a sign-in that does not suffice`() async throws {
    let world = try world(["acr": "pwd"])
    let challenge = try AuthenticationChallenge(acrValues: ["mfa"], maxAge: nil)
    world.carrier.next(.land(200, "ok 2 300"))
    for _ in 0..<100 {
      let error = await #expect(throws: VaultError.self) { try await world.vault.require(challenge, of: "work") }
      guard case .stepUpRequired(account: "work", challenge, _) = error else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
      world.clock.advance(by: .seconds(1))
    }
    #expect(world.carrier.sent == 0)
  }

  @Test func `a sign-in that did not bring what it was for is told with the reason`() throws {
    let world = try world([:])
    let identity = VerifiedIdentity(issuer: "i", subject: "ada", claims: [.init(name: "acr", value: "pwd")])
    let challenge = try AuthenticationChallenge(acrValues: ["mfa"], maxAge: nil)
    let error = #expect(throws: VaultError.self) {
      try world.vault.require(challenge, of: identity, account: "work", began: Self.now)
    }
    guard case .stepUpRequired(account: "work", challenge, let why) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(why.contains("(acr)"))
  }

  @Test(arguments: [(["mfa"], nil, "acrValues"), (["mfa"], 1, "acrValues"), ([], 1, "maxAge")])
  func `an issuer with a step-up of its own takes no challenge, and says which`(
    acrValues: [String], maxAge: Int64?, field: String
  ) async throws {
    let world = try World()
    let challenge = try AuthenticationChallenge(acrValues: acrValues, maxAge: maxAge)
    let error = await #expect(throws: VaultError.self) { try await world.vault.require(challenge, of: "work") }
    guard case .badRequest(field: field, _) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }
}
