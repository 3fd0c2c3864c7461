import Configuration
import EventLoop
import Vault

/// The configuration in force, and what is wrong with the files as they are now.
actor Settings {
  private let files: ConfigurationFiles
  private let storage: ThreadExecutor
  private var keeper: ConfigurationKeeper
  private let apply: @Sendable (Configuration) async -> Void
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe storage.asUnownedSerialExecutor() }

  init(
    _ files: ConfigurationFiles, first: LoadedConfiguration, storage: ThreadExecutor,
    apply: @escaping @Sendable (Configuration) async -> Void
  ) {
    self.files = files
    self.storage = storage
    keeper = ConfigurationKeeper(first)
    self.apply = apply
  }

  /// Reads the files again. A broken one changes nothing; `status` says so.
  func reload() async {
    switch keeper.reloaded(files.load()) {
    case .apply: await apply(keeper.configuration)
    case .nothing: return
    case .keepOld: for problem in keeper.problems { Report.line("\(problem)") }
    }
  }

  /// Settles what a sign-in is for, by the files as they are now.
  func plan(_ wish: SignInWish, existing: Account?) async throws(VaultError) -> SignInPlan {
    await reload()
    return try keeper.plan(wish, existing: existing)
  }

  /// Settles which client is registered where, by the files as they are now.
  func plan(_ wish: RegistrationWish) async throws(VaultError) -> RegistrationPlan {
    await reload()
    return try keeper.configuration.plan(wish)
  }

  /// The issuers that the files name, by name.
  func issuers() async -> [ConfiguredIssuer] {
    await reload()
    return keeper.configuration.issuers.sorted { $0.key < $1.key }.map(\.value)
  }

  var problems: [String] { keeper.problems.map { "\($0)" } }
}
