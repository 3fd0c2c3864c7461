import Glibc
import Journal
import Testing

/// Which files are used at all.
struct JournalFileTests {
  @Test func `a file of the right kind is opened`() throws {
    let desk = try Desk()
    #expect(try desk.file().isFor(desk.identity))
  }

  @Test func `a file open to others is refused`() throws {
    let desk = try Desk()
    unsafe chmod("\(desk.path)/\(Desk.account)", 0o640)
    #expect(throws: JournalFileError.untrusted("it is open to others")) { _ = try desk.file() }
  }

  @Test func `a symbolic link is refused`() throws {
    let desk = try Desk()
    unsafe rename("\(desk.path)/\(Desk.account)", "\(desk.path)/real")
    unsafe symlink("real", "\(desk.path)/\(Desk.account)")
    defer { unsafe unlink("\(desk.path)/real") }
    #expect(throws: JournalFileError.untrusted("it is a symbolic link")) { _ = try desk.file() }
  }

  @Test func `a file with a second name is refused`() throws {
    let desk = try Desk()
    unsafe link("\(desk.path)/\(Desk.account)", "\(desk.path)/second")
    defer { unsafe unlink("\(desk.path)/second") }
    #expect(throws: JournalFileError.untrusted("it has a second name")) { _ = try desk.file() }
  }

  @Test func `a truncated file is refused`() throws {
    let desk = try Desk()
    unsafe truncate("\(desk.path)/\(Desk.account)", 4096)
    #expect(throws: JournalFileError.damaged("it has not its size")) { _ = try desk.file() }
  }

  @Test func `a directory open to others is refused`() throws {
    let desk = try Desk()
    unsafe chmod(desk.path, 0o755)
    #expect(throws: JournalFileError.untrusted("its directory is open to others")) { _ = try desk.directory() }
  }

  @Test func `a lock held through one opening is seen through another`() throws {
    let desk = try Desk()
    let courier = try desk.file()
    let isTaken = try courier.lock()
    let isFlying = try desk.file().isFlying()
    let isTakenTwice = try desk.file().lock()
    #expect(isTaken && isFlying && !isTakenTwice)
    withExtendedLifetime(desk) {}
    _ = consume courier
  }

  @Test func `wiping leaves nothing`() throws {
    let desk = try Desk()
    try desk.write()
    try desk.directory().wipe(Desk.account)
    #expect(throws: JournalFileError.absent) { _ = try desk.file() }
  }
}
