import CrashPoints
import EventLoop
import Secrets

/// What the keyring thread does: whole operations, each under one cancellation, none of which raises a prompt.
actor KeyringWorker {
  private let executor: ThreadExecutor
  private let context = MainContext()
  private var session: ServiceSession?

  init(_ executor: ThreadExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Whether the default collection is locked.
  func isLocked(_ cancellation: Cancellation) throws(KeyringError) -> Bool {
    try perform(cancellation) { session throws(KeyringFailure) in
      try session.isLocked(try session.defaultCollection(cancellation), cancellation)
    }
  }

  /// Whether anything keeps us from what has these attributes: a prompt would help.
  func isClosed(_ attributes: [String: String], _ cancellation: Cancellation) throws(KeyringError) -> Bool {
    try perform(cancellation) { session throws(KeyringFailure) in
      !(try session.closed(attributes, cancellation).isEmpty)
    }
  }

  func load(_ query: KeyringQuery, _ cancellation: Cancellation) throws(KeyringError) -> SecretBox? {
    try perform(cancellation) { session throws(KeyringFailure) in
      _ = try session.openCollection(cancellation)
      guard let item = try session.find(query, cancellation) else {
        guard try session.hiding(cancellation).isEmpty else { throw .locked }
        return nil
      }
      return SecretBox(try session.secret(of: item, cancellation))
    }
  }

  func save(
    _ item: KeyringItem, _ query: KeyringQuery, isKnown: Bool, _ mayReplace: (SecretBox) -> Bool,
    _ cancellation: Cancellation
  ) throws(KeyringError) {
    try perform(cancellation) { session throws(KeyringFailure) in
      let present = try session.place(query, cancellation)
      if let path = present.item {
        let held = SecretBox(try session.secret(of: path, cancellation))
        guard mayReplace(held) else { throw .decided(.inconsistent("the keyring item holds something else")) }
      } else if isKnown {
        guard try session.hiding(cancellation).isEmpty else { throw .locked }
      }
      CrashPoint.keyringBegun.reached()
      let path = try session.create(in: present.collection, item, cancellation)
      CrashPoint.keyringReplaced.reached()
      try session.confirm(item, at: path, query, replacing: present.item, cancellation)
      CrashPoint.keyringReadBack.reached()
    }
  }

  func list(_ attributes: [String: String], _ cancellation: Cancellation) throws(KeyringError) -> [KeyringEntry] {
    try perform(cancellation) { session throws(KeyringFailure) in
      _ = try session.openCollection(cancellation)
      let found = try session.searchAll(attributes, limit: ServiceSession.listLimit, cancellation)
      var entries: [KeyringEntry] = []
      for item in found.open { entries.append(try session.entry(item, cancellation)) }
      return entries
    }
  }

  func remove(_ query: KeyringQuery, _ cancellation: Cancellation) throws(KeyringError) -> Bool {
    try perform(cancellation) { session throws(KeyringFailure) in
      _ = try session.openCollection(cancellation)
      let found = try session.search(query.key, cancellation)
      for item in found { try session.delete(item, cancellation) }
      guard try session.search(query.key, cancellation).isEmpty else {
        throw .decided(.refused("the keyring service still has the item after deleting it"))
      }
      return !found.isEmpty
    }
  }

  /// Ends the session. The next operation makes a new one.
  func disconnect() { session = nil }

  /// Runs `body`, once more on a new connection when the old one turned out to be broken.
  private func perform<Answer>(
    _ cancellation: Cancellation, _ body: (ServiceSession) throws(KeyringFailure) -> Answer
  ) throws(KeyringError) -> Answer {
    try context.run { () throws(KeyringError) in
      do throws(KeyringFailure) {
        return try attempt(cancellation, body)
      } catch .broken, .missing {
        do throws(KeyringFailure) { return try attempt(cancellation, body) } catch { throw error.reported }
      } catch {
        throw error.reported
      }
    }
  }

  private func attempt<Answer>(
    _ cancellation: Cancellation, _ body: (ServiceSession) throws(KeyringFailure) -> Answer
  ) throws(KeyringFailure) -> Answer {
    guard !cancellation.isCancelled else { throw .cancelled }
    do throws(KeyringFailure) {
      return try body(try connected(cancellation))
    } catch {
      if error.endsSession { session = nil }
      throw error
    }
  }

  private func connected(_ cancellation: Cancellation) throws(KeyringFailure) -> ServiceSession {
    if let session { return session }
    let new = try ServiceSession(cancellation)
    session = new
    return new
  }
}

extension KeyringFailure {
  /// Whether the connection can no longer be trusted to work.
  fileprivate var endsSession: Bool {
    switch self {
    case .cancelled, .missing, .broken: true
    case .locked, .dismissed, .decided: false
    }
  }
}
