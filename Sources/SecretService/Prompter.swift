import CSecret
import EventLoop

/// What the prompt's thread does: ask the service to unlock, and wait for the person.
actor Prompter {
  private let executor: ThreadExecutor
  private let context = MainContext()

  init(_ executor: ThreadExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Unlocks the default collection on a connection of its own. Returns when it is open.
  func unlock(_ cancellation: Cancellation) throws(KeyringError) {
    try context.run { () throws(KeyringError) in
      do throws(KeyringFailure) {
        let session = try ServiceSession(cancellation)
        try session.unlock(try session.defaultCollection(cancellation), cancellation)
      } catch .cancelled, .locked {
        throw .dismissed
      } catch {
        throw error.reported
      }
    }
  }
}

extension ServiceSession {
  /// Unlocks a collection, with the service's prompt if it wants one. Cancelling dismisses the prompt.
  ///
  /// Throws `.locked` when it is still locked afterwards: the person said no.
  fileprivate func unlock(_ collection: String, _ cancellation: Cancellation) throws(KeyringFailure) {
    var error: UnsafeMutablePointer<GError>?
    let count = unsafe collection.withCString { path in
      var paths: [UnsafePointer<gchar>?] = unsafe [path, nil]
      return unsafe secret_service_unlock_dbus_paths_sync(service, &paths, cancellation.pointer, nil, &error)
    }
    guard count >= 0 else { throw unsafe KeyringFailure(consuming: error) }
    try requireOpen(collection, cancellation)
  }
}
