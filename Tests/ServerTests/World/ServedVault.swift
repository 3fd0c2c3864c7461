import Associations
import Configuration
import EventLoop
import Exchange
import Glibc
import OAuth
import Secrets
import Server
import SignIn
import Testing
import Time
import Vault

/// The real handlers over a real vault whose surroundings are in memory: one account, signed in, with a fresh token.
final class ServedVault: Sendable {
  let thread: LoopThread
  let server: Server
  let vault: Vault
  let registry: MethodRegistry

  /// `registered` is what every issuer answers to a registration, `listening` how every sign-in with a listener ends.
  init(
    registered: RegisteredClient? = nil,
    listening: VaultError = .signInFailed(.portBusy, message: "no listener here")
  ) throws {
    thread = try LoopThread(name: "server")
    let profile = IssuerProfile(
      name: "test", kind: "didit", identifier: "https://issuer.test", environment: .live, clientID: nil,
      egress: EgressPolicy(), rotation: .didit)
    let account = Account(
      id: try #require(AccountID("0123456789abcdef0123456789abcdef")), name: "work", issuer: profile,
      backend: .secretService)
    let (clock, store) = (ManualClock(), MemoryStore())
    store.put(try RecordCodec.encode(Self.record(account, clock)), account.id)
    let tools = SessionTools(
      clock: clock, carrier: GroundedCarrier(), journal: IdleJournal(), stores: [.secretService: store],
      directory: NoDirectory(), makeIssuer: { QuietIssuer(profile: $0) }, machine: "machine", user: 1000,
      executor: thread.loop)
    let vault = Vault([AccountEntry(account: account, phase: .signedIn)], tools: tools, forceInterval: .seconds(30))
    self.vault = vault
    let desk = SignInDesk(vault: vault, loop: thread.loop, clock: clock) { _ throws(VaultError) in
      throw listening
    }
    registry = .all(
      Services(
        vault: vault, desk: desk,
        associations: AssociationDesk(clock: clock, executor: thread.loop) { _ throws(CarrierError) in
          throw .notSent("no courier here")
        }, clock: clock, version: "1",
        plan: { (wish, existing) throws(VaultError) in
          guard existing != nil || wish.issuer != nil else { throw .badRequest(field: "issuer", message: "which?") }
          return SignInPlan(
            name: wish.account, issuer: profile, backend: .secretService, redirectURI: "http://localhost:1/cb",
            scopes: [], locales: wish.locales)
        },
        planRegistration: { (wish) in
          RegistrationPlan(
            group: "test", issuer: profile,
            client: ClientMetadata(
              name: "Almoner", redirectURI: "http://127.0.0.1/callback", scopes: [],
              showsSecret: wish.clientSecretFile != nil), secretFile: wish.clientSecretFile)
        },
        register: { (plan, _) throws(IssuerError) in
          guard let registered else { throw .refused("nobody is registered here") }
          return ClientRegistration(client: registered, asked: plan.client)
        }, configuredIssuers: { [] }, notes: { ["a note"] }, isConfined: { true }))
    server = Server(
      registry, limits: ServerLimits(descriptors: 1024), user: getuid(), loop: thread.loop,
      isLocked: { vault.assumeIsolated { $0.isLocked } })
  }

  deinit { thread.stop() }

  func connect() async throws -> RawClient {
    let (client, far) = try RawClient.pair(of: self)
    await server.adopt(far)
    return client
  }

  private static func record(_ account: Account, _ clock: ManualClock) throws -> StoredRecord {
    let tokens = TokenSet(
      accessToken: try secret("at-1"), refreshToken: try secret("rt-1"), idToken: nil, tokenType: "Bearer", scope: nil,
      lifetime: .seconds(300), receivedAt: clock.now, receivedBoot: clock.bootID, receivedWall: clock.wall)
    return StoredRecord(
      account: account.id, issuer: account.issuer.identifier, machine: "machine", user: 1000, generation: 1,
      journalKey: try secret(String(repeating: "k", count: 32)), tokens: tokens,
      identity: VerifiedIdentity(
        issuer: account.issuer.identifier, subject: "ada", claims: [.init(name: "email", value: "ada@issuer.test")]))
  }

  private static func secret(_ text: String) throws -> SecretBox {
    let bytes = Array(text.utf8)
    return SecretBox(unsafe try SecretBytes(copying: bytes.span.bytes))
  }
}
