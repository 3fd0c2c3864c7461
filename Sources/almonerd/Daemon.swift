import CLinux
import Configuration
import Courier
import Desktop
import EventLoop
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

/// Everything that runs, put together in the order in which it may be touched: lock, state, stores, socket.
final class Daemon: Sendable {
  private let loop: EventLoop
  private let state: StateDirectory
  private let listener: LocalListener
  private let carrier: CourierCarrier
  private let vault: Vault
  private let server: Server
  private let settings: Settings
  private let desktop: DesktopPresence
  private let relay: SignalRelay
  private let signals: SignalSource
  private let trimmer: MemoryTrimmer
  private let readyDescriptor: Int32?

  init(_ environment: DaemonEnvironment, readyDescriptor: Int32?) throws(DaemonFailure) {
    self.readyDescriptor = readyDescriptor
    do {
      try Sodium.start()
      let parts = try Parts(environment)
      loop = parts.loop
      state = parts.state
      carrier = parts.carrier
      vault = parts.vault
      settings = parts.settings
      server = parts.server
      listener = parts.listener
      desktop = parts.desktop
      relay = parts.relay
      trimmer = parts.trimmer
      signals = parts.signals
    } catch {
      throw DaemonFailure(error)
    }
  }

  /// Serves until it is told to stop.
  func run() -> Never {
    relay.listen { [self] in received($0) }
    Task(executorPreference: loop) { await self.begin() }
    loop.run()
  }

  private func begin() async {
    do {
      try await server.serve(listener)
    } catch {
      Report.fail("\(error)", status: 1)
    }
    ServiceNotification.ready.send()
    if let readyDescriptor {
      _ = unsafe write(readyDescriptor, [UInt8(ascii: "\n")], 1)
      close(readyDescriptor)
    }
    await desktop.start()
    Task(executorPreference: loop) { await self.announceChanges() }
    await vault.resume()
  }

  private func announceChanges() async {
    // Watched from the start: what happens while memory is trimmed is announced after it.
    let events = vault.hub.watch()
    await trimmer.trimSoon()
    for await event in events where event.kind != .callbackRejected {
      await desktop.announceChange()
      Task(executorPreference: loop) { await self.trimmer.trimSoon() }
    }
  }

  private func received(_ signal: Int32) {
    if signal == SIGHUP {
      Task(executorPreference: loop) { await self.settings.reload() }
    } else {
      Task(executorPreference: loop) { await self.stop() }
    }
  }

  /// Starts no flight, answers who waits, lets couriers land, and goes.
  private func stop() async {
    ServiceNotification.stopping.send()
    await server.closeDoor()
    await vault.drain()
    await carrier.allEnded()
    await server.closeAll()
    await desktop.stop()
    listener.retire()
    exit(0)
  }
}
