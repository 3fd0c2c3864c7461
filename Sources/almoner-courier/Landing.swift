import Exchange
import Glibc
import Journal

/// Where the answer goes.
enum Landing {
  /// Back through the channel.
  case none
  case pad(Pad)

  /// The pad of one flight, shared with libcurl's callback.
  final class Pad {
    let strip: LandingStrip
    let landing: Ticket.Landing

    init(_ strip: consuming LandingStrip, _ landing: Ticket.Landing) {
      self.strip = strip
      self.landing = landing
    }
  }

  /// The ticket does not belong to the journal that was opened.
  struct Mismatch: Error {}

  /// Throws when only one of the two is there, or the ticket is for another journal or user.
  init(_ journal: consuming JournalFile?, _ ticket: Ticket?) throws {
    guard let ticket else {
      if journal != nil { throw Mismatch() }
      self = .none
      return
    }
    guard let journal = journal.take(), try journal.isFor(ticket.identity), ticket.identity.user == geteuid() else {
      throw Mismatch()
    }
    let strip = LandingStrip(journal, ticket.identity, ticket.number, key: ticket.key)
    self = .pad(Pad(strip, ticket.landing))
  }

  func markDeparture() throws {
    switch self {
    case .none: break
    case .pad(let pad): try pad.strip.markDeparture()
    }
  }
}
