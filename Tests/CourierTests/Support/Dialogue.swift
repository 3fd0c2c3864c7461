import Courier
import Exchange
import Glibc
import Journal
import Vault

/// The daemon's side of one courier, spoken by hand, so that a test can die in the middle of it.
final class Dialogue: Sendable {
  let process: Int32
  private let channel: Int32
  private let harbour: Harbour
  private let request: OutgoingRequest

  init(_ harbour: Harbour, _ request: OutgoingRequest) throws {
    self.harbour = harbour
    self.request = request
    let started = try harbour.program.start()
    process = started.process
    channel = started.channel
  }

  deinit { waitpid(process, nil, 0) }

  func send(_ message: ToCourier) throws { try Channel.send(try Freight.encode(message), on: channel) }

  func receive() throws -> FromCourier { try Freight.fromCourier(try Channel.receive(on: channel, within: 10_000)) }

  /// Briefing, `ready`, request, `connected`.
  func untilConnected() throws {
    let context = harbour.context
    let name = context.account.text
    let file = try JournalFile(try JournalDirectory(harbour.directory, user: context.user), name)
    let place = Briefing.Place(directory: harbour.directory, name: name, inode: try file.inode())
    try send(.briefing(Briefing(journal: place, caFile: nil)))
    guard case .ready = try receive() else { throw Unexpected(what: "not ready") }
    let identity = JournalIdentity(
      user: context.user, machine: context.machine, account: context.account.text, issuer: context.issuer)
    try send(
      .request(
        request,
        Ticket(identity: identity, number: FlightNumber(generation: 3, flight: 1), key: harbour.flightKey)))
    guard case .connected = try receive() else { throw Unexpected(what: "not connected") }
  }

  /// What a SIGKILL of the daemon does to the channel.
  func hangUp() { close(channel) }
}
