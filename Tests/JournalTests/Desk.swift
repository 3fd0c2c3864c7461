import Exchange
import Glibc
import Journal
import Secrets
import Sodium
import Time

/// A journal file in a directory of its own, and a pen for whoever may or may not write in it.
final class Desk {
  static let account = "0123456789abcdef0123456789abcdef"

  let identity = JournalIdentity(user: 1, machine: "m", account: Desk.account, issuer: "i")
  let number = FlightNumber(generation: 3, flight: 9)
  let path: String
  private let journalKey: SecretBox
  private let flightKey: SecretBox

  init() throws {
    try Sodium.start()
    var template = Array("/tmp/almoner-journal-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw JournalFileError.failed("mkdtemp", errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    journalKey = SecretBox(try Random.secret(count: 32))
    flightKey = SecretBox(try Random.secret(count: 32))
    try JournalFile.replace(try directory(), identity, [:])
  }

  deinit {
    unsafe unlink("\(path)/\(Self.account)")
    unsafe rmdir(path)
  }

  func directory() throws -> JournalDirectory { try JournalDirectory(path, user: geteuid()) }

  func file() throws -> JournalFile { try JournalFile(try directory(), Self.account) }

  func read(key: SecretBox? = nil) throws -> JournalContents {
    try JournalContents(try file(), identity, journalKey: key ?? journalKey)
  }

  /// The numbers that take the most room.
  static let lastMoment = BootMoment(boot: BootID(high: .max, low: .max), instant: BootInstant(nanoseconds: .max))

  func sealedIntent(as other: JournalIdentity? = nil) throws -> SealedBlock {
    let intent = Intent(
      state: .sending(
        at: Self.lastMoment, wall: WallInstant(seconds: .max), sends: .max,
        earlier: Intent.Earlier(first: Self.lastMoment, last: Self.lastMoment)),
      number: number, tokenHash: [UInt8](repeating: 0xff, count: 32),
      landing: Intent.Landing(number: number, key: flightKey))
    return try intent.seal(other ?? identity, journalKey: journalKey)
  }

  /// A whole flight.
  @discardableResult func write(as other: JournalIdentity? = nil, body: Int = 10) throws -> Self {
    try file().write(try sealedIntent(as: other), .intent)
    let strip = LandingStrip(try file(), other ?? identity, number, key: flightKey)
    try strip.markDeparture()
    try strip.land(try answer(body))
    return self
  }

  /// Lands for this flight under a key that somebody made up.
  func landForged() throws {
    let key = SecretBox(try Random.secret(count: 32))
    try LandingStrip(try file(), identity, number, key: key).land(try answer(10))
  }

  /// Lands for a flight of another number, under the present key.
  func land(_ number: FlightNumber) throws {
    try LandingStrip(try file(), identity, number, key: flightKey).land(try answer(10))
  }

  /// Bytes of the pad's block: their number is in front, then prefix and sealed bytes.
  func padLength() throws -> Int {
    let bytes = try file().read(.pad)
    return 20 + bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
  }

  func flip(_ part: JournalLayout.Part, _ position: Int, bit: UInt8 = 0) throws {
    try change(part) { $0[position] ^= 1 << bit }
  }

  /// How many bytes of a part are in use.
  func used(_ part: JournalLayout.Part) throws -> Int {
    var count = 0
    try change(part) { bytes in count = (bytes.lastIndex { $0 != 0 } ?? -1) + 1 }
    return count
  }

  /// What `body` finds after the part was cut there.
  func whileCut(_ part: JournalLayout.Part, _ length: Int, _ body: () throws -> Void) throws {
    var whole: [UInt8] = []
    try change(part) { whole = $0 }
    try cut(part, length)
    try body()
    try change(part) { $0 = whole }
  }

  /// Zeroes everything behind the first `length` bytes, as a write that was torn does.
  func cut(_ part: JournalLayout.Part, _ length: Int) throws {
    try change(part) { bytes in bytes.replaceSubrange(length..., with: repeatElement(0, count: bytes.count - length)) }
  }

  func number(_ part: JournalLayout.Part, _ number: FlightNumber) throws {
    try change(part) { bytes in
      for index in 0..<8 {
        bytes[4 + index] = UInt8(truncatingIfNeeded: number.generation >> (56 - 8 * UInt64(index)))
        bytes[12 + index] = UInt8(truncatingIfNeeded: number.flight >> (56 - 8 * UInt64(index)))
      }
    }
  }

  private func change(_ part: JournalLayout.Part, _ body: (inout [UInt8]) -> Void) throws {
    let descriptor = unsafe open("\(path)/\(Self.account)", O_RDWR)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: part.capacity)
    _ = unsafe pread(descriptor, &bytes, bytes.count, part.offset)
    body(&bytes)
    _ = unsafe pwrite(descriptor, bytes, bytes.count, part.offset)
  }

  private func answer(_ count: Int) throws -> HTTPAnswer {
    let body = try Random.secret(count: count)
    return HTTPAnswer(
      status: 200, date: WallInstant(seconds: 5), retryAfter: 6, dpopNonce: "n-1",
      contentType: "application/json", body: SecretBox(body), isTruncated: false,
      receivedAt: BootInstant(nanoseconds: 7),
      receivedBoot: BootID(high: 8, low: 9), receivedWall: WallInstant(seconds: 10))
  }
}
