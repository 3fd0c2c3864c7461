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
    /// False only in test builds that show what is lost without landing.
    let lands: Bool

    init(_ strip: consuming LandingStrip, lands: Bool) {
      self.strip = strip
      self.lands = lands
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
    self = .pad(Pad(strip, lands: ticket.lands))
  }

  func markDeparture() throws {
    switch self {
    case .none: break
    case .pad(let pad): try pad.strip.markDeparture()
    }
  }
}
