import EventLoop

/// What the prompt's thread does: ask the service to unlock, and wait for the person.
actor Prompter {
  /// A collection that opened may show items that are locked by themselves: those are asked for next, and no more.
  private static let rounds = 2

  private let executor: ThreadExecutor
  private let context = MainContext()

  init(_ executor: ThreadExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Unlocks what keeps us from the items with these attributes, in a session of its own. Returns when that is done.
  func unlock(_ attributes: [String: String], _ cancellation: Cancellation) throws(KeyringError) {
    try context.run { () throws(KeyringError) in
      do throws(KeyringFailure) {
        let session = try ServiceSession(cancellation)
        for _ in 0..<Self.rounds {
          let closed = try session.closed(attributes, cancellation)
          if closed.isEmpty { return }
          try session.unlock(closed, cancellation)
        }
        guard try session.closed(attributes, cancellation).isEmpty else { throw .dismissed }
      } catch .cancelled, .locked {
        throw .dismissed
      } catch {
        throw error.reported
      }
    }
  }
}

extension ServiceSession {
  /// Unlocks collections and items, with the service's prompt if it wants one. Cancelling dismisses the prompt.
  fileprivate func unlock(_ paths: [String], _ cancellation: Cancellation) throws(KeyringFailure) {
    let arguments = VariantBuilder("(ao)")
    arguments.add(.objectPaths(paths))
    let answer = try call(Self.servicePath, .unlock, arguments.end(), reply: "(aoo)", cancellation)
    guard answer[1].text != "/" else { return }
    _ = try perform(answer[1].text, cancellation)
  }
}
