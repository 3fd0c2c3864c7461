import Associations
import CLinux
import Configuration
import Courier
import Desktop
import EventLoop
import Exchange
import Glibc
import Issuers
import LocalSocket
import SecretService
import Secrets
import Server
import SignIn
import Sodium
import Stores
import Systemd
import Time
import Vault

/// What the daemon is made of, put together in the order in which things may be touched: the lock first, the socket
/// last.
struct Parts {
  let loop: EventLoop
  let state: StateDirectory
  let carrier: CourierCarrier
  let vault: Vault
  let settings: Settings
  let server: Server
  let listener: LocalListener
  let desktop: DesktopPresence
  let trimmer: MemoryTrimmer
  let relay = SignalRelay()
  let signals: SignalSource

  init(_ environment: DaemonEnvironment) throws {
    guard let base = BaseDirectories(environment: environment.all) else { throw StateError.noHome }
    state = try StateDirectory(base)
    loop = try EventLoop()
    // Before there are threads, so that none of them ever takes a signal.
    signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop, relay.deliver)
    let storage = try ThreadExecutor(name: "storage")
    let files = ConfigurationFiles(base)
    let loaded = files.load()
    for problem in loaded.problems { Report.line("\(problem)") }
    let index = AccountIndexFile(in: state.directory)
    let known = try index.load()
    for problem in known.problems { Report.line("\(problem)") }

    let user = getuid()
    let machine = Machine.id
    let programs = try Programs(loop: loop, user: user)
    #if FAULTS
      let clock = HastyClock(try KernelClock(loop))
    #else
      let clock = try KernelClock(loop)
    #endif
    let journal = FileJournal(in: state.directory, user: user, storage: storage)
    let carrier = CourierCarrier(
      program: programs.courier, journal: journal, machine: machine, user: user, loop: loop)
    self.carrier = carrier
    let secrets = ClientSecrets(storage: storage)
    let issuerServices = IssuerServices(
      fetch: { (request) async throws(CarrierError) in try await carrier.exchange(request) }, clock: clock,
      readSecret: { (path) async throws(IssuerError) in try await secrets.read(path) })
    let pool = IssuerPool(issuerServices)
    let registrar = ClientRegistrar(issuerServices)
    let tools = SessionTools(
      clock: clock, carrier: carrier, journal: journal,
      stores: try Self.stores(loaded.configuration, state, storage, loop),
      directory: IndexDirectory(index, storage: storage),
      makeIssuer: { (profile) throws(IssuerError) in try pool.issuer(for: profile) }, machine: machine, user: user,
      executor: loop, onStep: StepRecorder.record)
    let vault = Vault(
      known.index.entries, tools: tools, forceInterval: loaded.configuration.refresh.forceInterval)
    self.vault = vault
    trimmer = MemoryTrimmer(clock: clock, storage: storage)
    settings = Settings(files, first: loaded, storage: storage) { configuration in
      await vault.setForceInterval(configuration.refresh.forceInterval)
    }
    let callback = programs.callback
    let desk = SignInDesk(vault: vault, loop: loop, clock: clock) { (request) async throws(VaultError) in
      try await callback.listen(request)
    }
    let associations = AssociationDesk(clock: clock, executor: loop) { (request) async throws(CarrierError) in
      try await carrier.exchange(request)
    }
    let services = Services(
      vault: vault, desk: desk, associations: associations, clock: clock, version: Version.text,
      plan: { [settings] (wish, existing) async throws(VaultError) in
        try await settings.plan(wish, existing: existing)
      },
      planRegistration: { [settings] (wish) async throws(VaultError) in try await settings.plan(wish) },
      register: { (plan, token) async throws(IssuerError) in try await registrar.register(plan, token: token) },
      configuredIssuers: { [settings] in await settings.issuers() },
      notes: { [settings] in await StatusNotes.collect(settings, vault, directory: programs.directory) },
      isConfined: {
        // Before a courier reported, the kernel is asked: it is the same for all, and a child that fails ends.
        await carrier.landlockVersion.map { $0 > 0 } ?? (clinux_landlock_version() > 0)
      })
    server = Server(
      .all(services), limits: .raisingDescriptorLimit(), user: user, loop: loop,
      isLocked: { vault.refusesCallers })
    desktop = DesktopPresence(loop, address: BusAddress(environment: environment.all)) {
      vault.assumeIsolated { vault in
        let accounts = vault.list().map { DesktopStatus.Account(name: $0.account.name, state: $0.state.rawValue) }
        return DesktopStatus(accounts: accounts, isLocked: vault.isLocked)
      }
    }
    listener = try Self.listen(environment, user: user)
  }

  private static func stores(
    _ configuration: Configuration, _ state: StateDirectory, _ storage: ThreadExecutor, _ loop: EventLoop
  ) throws -> [StoreBackend: any CredentialStore] {
    let key: SealedFileStore.KeySource =
      configuration.store.keyFile.map { .keyFile(path: $0) } ?? .passphrase(.moderate)
    return [
      .secretService: SecretServiceStore(try Keyring(loop)),
      .sealedFile: SealedFileStore(
        in: state.directory, key: key, on: storage),
    ]
  }

  private static func listen(_ environment: DaemonEnvironment, user: UInt32) throws -> LocalListener {
    if let inherited = try LocalListener.inherit({ environment[$0] }) { return inherited }
    return try LocalListener.bind(SocketPath.find(user: user) { environment[$0] }, user: user)
  }
}
