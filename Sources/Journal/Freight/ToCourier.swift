package import Exchange
package import Secrets

/// What the daemon tells a courier, one message each, in this order.
package enum ToCourier: Sendable {
  /// The first: nothing secret is in it, for the courier is not confined yet.
  case briefing(Briefing)
  /// After `ready`: the request, and for a journaled flight what it needs to land.
  case request(OutgoingRequest, Ticket?)
  /// After `connected`: send it. Without this nothing is ever sent.
  case go
}

/// What a courier has to open before it confines itself.
package struct Briefing: Equatable, Sendable {
  /// The journal's directory and file; nil for an exchange without a journal.
  package let journal: Place?
  /// A PEM file of certificate authorities that is configured beside the system's.
  package let caFile: String?
  /// What the courier of a journaled flight has to suffer, in a test build. Nil in any other.
  package var faults: String?

  /// The courier opens the file by its path, so that its lock is its own, and then looks whether it is the right one.
  package struct Place: Equatable, Sendable {
    package let directory: String
    package let name: String
    /// The file that the daemon means.
    package let inode: JournalFile.Inode

    package init(directory: String, name: String, inode: JournalFile.Inode) {
      self.directory = directory
      self.name = name
      self.inode = inode
    }
  }

  package init(journal: Place?, caFile: String?) {
    self.journal = journal
    self.caFile = caFile
  }
}

/// What a journaled flight needs to land.
package struct Ticket: Sendable {
  package let identity: JournalIdentity
  package let number: FlightNumber
  package let key: SecretBox
  package let landing: Landing

  /// Which answers are landed.
  package enum Landing: UInt8, Sendable {
    case all
    /// Only those with a status of success. Any other is told and forgotten: it costs the disk nothing.
    case successes
    /// None. Only in test builds, which show what is lost without it.
    case none

    /// Whether an answer with this status is landed.
    package func takes(_ status: Int) -> Bool {
      switch self {
      case .all: true
      case .successes: (200..<300).contains(status)
      case .none: false
      }
    }
  }

  package init(identity: JournalIdentity, number: FlightNumber, key: SecretBox, landing: Landing = .all) {
    self.identity = identity
    self.number = number
    self.key = key
    self.landing = landing
  }
}
