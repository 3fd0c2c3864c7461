import CSecret

// Prompts: what a service puts off until the person was asked, or says that it does.
extension ServiceSession {
  /// Ends what the service put off to a prompt: KeePassXC does that with every change, and shows a window only where it is
  /// set to. `/` means that nothing was put off. Returns what came of it.
  ///
  /// A collection that is locked by now would ask for its password: such a prompt is dismissed unseen, and `.locked`
  /// thrown. One that is not answered within the deadline is dismissed too.
  func finish(
    _ prompt: String, in collection: String, _ cancellation: Cancellation
  ) throws(KeyringFailure) -> Outcome {
    guard prompt != "/" else { return .nothingPutOff }
    if try isLocked(collection, cancellation) {
      _ = try call(prompt, .dismiss, VariantBuilder("()").end(), reply: "()", cancellation)
      throw .locked
    }
    do throws(KeyringFailure) {
      return .done(try perform(prompt, cancellation))
    } catch .cancelled, .dismissed {
      throw .decided(.confirmation)
    }
  }

  enum Outcome {
    case nothingPutOff
    /// The object path that the service named, or an empty text.
    case done(String)
  }

  /// Has the service show a prompt, and waits until it says that the prompt is over. Returns the object path in its result,
  /// or an empty text.
  ///
  /// Cancelling dismisses the prompt and waits for no answer to that: who hangs with a prompt open hangs then too.
  /// Throws `.dismissed` when the person said no, `.broken` when the service left the bus.
  func perform(_ prompt: String, _ cancellation: Cancellation) throws(KeyringFailure) -> String {
    guard let owner else { throw .broken("the keyring service left the bus") }
    let watch = unsafe PromptWatch(prompt, of: owner, bus: bus)
    let arguments = VariantBuilder("(s)")
    arguments.add(.string(""))
    do throws(KeyringFailure) {
      _ = try call(prompt, .prompt, arguments.end(), reply: "()", cancellation)
    } catch {
      dismissUnheard(prompt)
      throw error
    }
    cancellation.sleep { watch.outcome != nil }
    switch watch.outcome {
    case .completed(let path): return path
    case .dismissed: throw .dismissed
    case .vanished: throw .broken("the keyring service left the bus while its prompt was open")
    case nil:
      dismissUnheard(prompt)
      throw .cancelled
    }
  }

  private func dismissUnheard(_ prompt: String) {
    unsafe g_dbus_connection_call(
      bus, Self.busName, prompt, Method.dismiss.interface, Method.dismiss.name, nil, nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, nil)
    // A session that ends now may take the connection with it, and what was not written yet.
    _ = unsafe g_dbus_connection_flush_sync(bus, nil, nil)
  }
}

/// Listens for the end of one prompt, on the thread that made it, from before the prompt is shown.
@safe private final class PromptWatch {
  enum Outcome {
    case completed(String)
    case dismissed
    case vanished
  }

  /// What the callbacks write to: it lives until GLib has let go of it.
  final class Ear {
    var outcome: Outcome?
  }

  private let ear = Ear()
  private let bus: OpaquePointer
  private var subscriptions: [guint] = []

  var outcome: Outcome? { ear.outcome }

  init(_ prompt: String, of owner: String, bus: OpaquePointer) {
    unsafe self.bus = bus
    let completed: GDBusSignalCallback = { _, _, _, _, _, parameters, ear in
      guard let parameters = unsafe parameters, let ear = unsafe ear else { return }
      unsafe Unmanaged<Ear>.fromOpaque(ear).takeUnretainedValue().outcome = PromptWatch.read(
        Variant(g_variant_ref(parameters)))
    }
    let changed: GDBusSignalCallback = { _, _, _, _, _, _, ear in
      guard let ear = unsafe ear else { return }
      let own = unsafe Unmanaged<Ear>.fromOpaque(ear).takeUnretainedValue()
      if own.outcome == nil { own.outcome = .vanished }
    }
    unsafe subscribe(owner, "org.freedesktop.Secret.Prompt", "Completed", prompt, nil, completed)
    unsafe subscribe(
      "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
      ServiceSession.busName, changed)
  }

  deinit { for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(bus, subscription) } }

  private func subscribe(
    _ sender: String, _ interface: String, _ signal: String, _ object: String, _ argument: String?,
    _ callback: @escaping GDBusSignalCallback
  ) {
    subscriptions.append(
      unsafe g_dbus_connection_signal_subscribe(
        bus, sender, interface, signal, object, argument, G_DBUS_SIGNAL_FLAGS_NONE, callback,
        Unmanaged.passRetained(ear).toOpaque()
      ) { ear in
        guard let ear = unsafe ear else { return }
        unsafe Unmanaged<Ear>.fromOpaque(ear).release()
      })
  }

  /// `(bv)`: whether it was dismissed, and what came of it.
  private static func read(_ parameters: borrowing Variant) -> Outcome {
    guard parameters.hasType("(bv)") else { return .dismissed }
    if parameters[0].boolean != false { return .dismissed }
    let result = parameters[1].content
    return .completed(result.hasType("o") ? result.text : "")
  }
}
