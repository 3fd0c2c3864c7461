package import EventLoop
package import Secrets
import Synchronization
import Time

/// The door to the Secret Service: the desktop's keyring, over libsecret.
///
/// Nothing here blocks the caller: libsecret runs on a thread of its own, each operation under one deadline that counts
/// from the call. Only ``unlock(_:)`` may show a prompt; everything else reads first whether the collection is locked.
package final class Keyring: Sendable {
  /// How long an operation may take, on the boot clock.
  package static let callLimit = Duration.seconds(2)
  /// How long a person may think about a prompt, on the boot clock.
  package static let promptLimit = Duration.seconds(120)

  private let loop: EventLoop
  private let worker: KeyringWorker
  private let prompt: SharedPrompt

  /// Starts the keyring thread. `loop` has to run: it keeps the deadlines. Throws ``SystemError``.
  package init(_ loop: EventLoop, promptLimit: Duration = promptLimit) throws(SystemError) {
    self.loop = loop
    worker = KeyringWorker(try ThreadExecutor(name: "keyring"))
    prompt = SharedPrompt(loop, limit: promptLimit)
  }

  /// Whether the default collection is there and open.
  package func availability() async -> KeyringAvailability {
    do throws(KeyringError) {
      let isLocked = try await within(Self.callLimit) { cancellation throws(KeyringError) in
        try await self.worker.isLocked(cancellation)
      }
      return isLocked ? .locked : .open
    } catch {
      if case .absent(let text) = error { return .absent(text) }
      return .unavailable(error.text)
    }
  }

  /// The secret of the item that the query means, or nil when the collection is open and has none.
  ///
  /// Throws `.inconsistent` when several items, or one with other attributes, are found.
  package func load(_ query: KeyringQuery) async throws(KeyringError) -> SecretBox? {
    try await within(Self.callLimit) { cancellation throws(KeyringError) in
      try await self.worker.load(query, cancellation)
    }
  }

  /// Keeps `item` in place of what the query finds, in one call, then reads it back and compares.
  ///
  /// What is already there goes to `mayReplace` first; if that says no, `.inconsistent` is thrown and nothing changed.
  /// An item that `isKnown` to be somewhere and is not found makes no second one while a locked collection may hide it.
  package func save(
    _ item: KeyringItem, _ query: KeyringQuery, isKnown: Bool = false,
    mayReplace: @escaping @Sendable (SecretBox) -> Bool
  ) async throws(KeyringError) {
    try await within(Self.callLimit) { cancellation throws(KeyringError) in
      try await self.worker.save(item, query, isKnown: isKnown, mayReplace, cancellation)
    }
  }

  /// Label and attributes of every item with these attributes. No secret is read. Throws `.locked` unless the default
  /// collection is open; what is locked by itself beside it is left out.
  package func list(_ attributes: [String: String]) async throws(KeyringError) -> [KeyringEntry] {
    try await within(Self.callLimit) { cancellation throws(KeyringError) in
      try await self.worker.list(attributes, cancellation)
    }
  }

  /// Deletes every item that has the query's key, and looks again that none is left. Returns whether there was one.
  @discardableResult
  package func remove(_ query: KeyringQuery) async throws(KeyringError) -> Bool {
    try await within(Self.callLimit) { cancellation throws(KeyringError) in
      try await self.worker.remove(query, cancellation)
    }
  }

  /// Has the service unlock whatever keeps us from the items with these attributes, which may ask the person. Returns when
  /// they can be reached.
  ///
  /// One prompt at a time: later callers join it. When the last of them is cancelled the prompt is dismissed.
  package func unlock(_ attributes: [String: String]) async throws(KeyringError) {
    let isClosed = try await within(Self.callLimit) { cancellation throws(KeyringError) in
      try await self.worker.isClosed(attributes, cancellation)
    }
    if isClosed { try await prompt.join(attributes) }
  }

  /// Ends the session with the service, and with it the key under which secrets cross the bus.
  package func disconnect() async { await worker.disconnect() }

  private func within<Answer: Sendable>(
    _ limit: Duration, _ body: (Cancellation) async throws(KeyringError) -> Answer
  ) async throws(KeyringError) -> Answer {
    let cancellation = Cancellation()
    let timer = loop.schedule(at: loop.now + limit) { cancellation.cancel() }
    defer { timer.cancel() }
    return try await body(cancellation)
  }
}

extension KeyringError {
  /// What happened, for a person.
  package var text: String {
    switch self {
    case .locked: "the keyring is locked"
    case .absent(let text), .unavailable(let text), .refused(let text), .inconsistent(let text): text
    case .dismissed: "the keyring's prompt was dismissed"
    }
  }
}
