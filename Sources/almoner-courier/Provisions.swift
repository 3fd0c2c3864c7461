import CLinux
import Confinement
import CrashPoints
import Curl
import Glibc
import Journal
import Time

/// All that a courier opened before it confined itself; afterwards it can open nothing else.
struct Provisions: ~Copyable {
  /// Not locked yet: the lock is taken after confinement.
  private(set) var journal: JournalFile?
  let environment: ExchangeEnvironment
  let report: ConfinementReport

  /// Opens what the briefing names, then confines the process.
  static func gather(_ briefing: Briefing) throws -> Provisions {
    let user = geteuid()
    let boot = try BootFile.read()
    let journal = try Self.journal(briefing.journal, user)
    let environment = ExchangeEnvironment(sockets: SocketLookup(), user: user) {
      Receipt(at: Self.now, boot: boot, wall: WallInstant(seconds: clinux_wall_seconds()))
    }
    let report = try Confinement.courier(authorities: briefing.caFile.map { [$0] } ?? [])
    return Provisions(journal: journal, environment: environment, report: report)
  }

  private static var now: BootInstant {
    #if FAULTS
      BootInstant(nanoseconds: clinux_boot_nanoseconds() * Haste.factor)
    #else
      BootInstant(nanoseconds: clinux_boot_nanoseconds())
    #endif
  }

  /// Takes the journal's lock, if there is a journal. Returns false when another courier has it.
  borrowing func takeLock() throws -> Bool {
    if let taken = try journal?.lock() { return taken }
    return true
  }

  /// Hands the journal over, with the lock if it was taken.
  mutating func takeJournal() -> JournalFile? { journal.take() }

  private static func journal(_ place: Briefing.Place?, _ user: UInt32) throws -> JournalFile? {
    guard let place else { return nil }
    let file = try JournalFile(try JournalDirectory(place.directory, user: user), place.name)
    guard try file.inode() == place.inode else { throw JournalFileError.untrusted("its directory was replaced") }
    return file
  }
}
