import Exchange
import Glibc
import Journal
import Secrets
import Sodium
import Time

extension FuzzTarget {
  /// A journal says what was sealed into it for this account and flight, whatever else lies in the file; and what daemon
  /// and courier say to each other has one spelling only.
  static let journal = FuzzTarget(name: "journal") { bytes in
    var choices = Choices(bytes)
    switch choices.byte() % 4 {
    case 0: checkMessage(SecretBox(fuzzed: choices.rest()))
    case 1: checkAnswer(SecretBox(fuzzed: choices.rest()))
    default: Desk.shared.check(&choices)
    }
  }

  private static func checkMessage(_ box: SecretBox) {
    do throws(FieldError) {
      let again = try Freight.encode(try Freight.toCourier(box.secret)).revealed
      require(again == box.revealed, "a message to the courier has one spelling only")
    } catch {
      checkMessageBack(box)
    }
  }

  private static func checkMessageBack(_ box: SecretBox) {
    do throws(FieldError) {
      let message = try Freight.fromCourier(box.secret)
      switch message {
      // A longer text is cut when it is written.
      case .notSent(let why), .unknown(let why): if why.count > 200 { return }
      case .ready, .connected, .departed, .landed, .answer: break
      }
      require(try Freight.encode(message).revealed == box.revealed, "a message to the daemon has one spelling only")
    } catch {
      return
    }
  }

  private static func checkAnswer(_ box: SecretBox) {
    do throws(FieldError) {
      let answer = try AnswerFields.decode(box.secret)
      require(try AnswerFields.encode(answer).revealed == box.revealed, "an answer has one spelling only")
      require(answer.body.count <= HTTPAnswer.maximumBody, "a body is no longer than its limit")
    } catch {
      return
    }
  }
}

/// A journal file on disk whose parts are put together by the bytes.
private struct Desk: ~Copyable {
  static let shared = Desk()

  private static let identity = JournalIdentity(
    user: geteuid(), machine: "00112233445566778899aabbccddeeff", account: String(repeating: "0f", count: 16),
    issuer: "https://issuer.example")
  private static let number = FlightNumber(generation: 7, flight: 3)
  private static let journalKey = SecretBox(fuzzed: [UInt8](repeating: 1, count: 32))
  private static let flightKey = SecretBox(fuzzed: [UInt8](repeating: 2, count: 32))
  private static let otherKey = SecretBox(fuzzed: [UInt8](repeating: 3, count: 32))

  private let file: JournalFile
  /// The same file, for writing what no program of ours writes.
  private let descriptor: Int32

  private init() {
    var path = Array("/tmp/almoner-fuzz-XXXXXX\0".utf8CString)
    guard unsafe mkdtemp(&path) != nil else { preconditionFailure("a directory can be made") }
    let directory = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do throws(JournalFileError) {
      let folder = try JournalDirectory(directory, user: geteuid())
      try JournalFile.replace(folder, Self.identity, [:])
      file = try JournalFile(folder, Self.identity.account)
    } catch {
      preconditionFailure("a journal can be made: \(error)")
    }
    let name = directory + "/" + Self.identity.account
    descriptor = unsafe open(name, O_RDWR | O_CLOEXEC)
    // What is open stays; nothing is left behind, however the process ends.
    unsafe unlink(name)
    unsafe rmdir(directory)
  }

  /// One part of the file: its bytes, and whether they are the authentic block that belongs there.
  private struct Piece {
    let bytes: [UInt8]
    let isAuthentic: Bool
    /// The flight that the bytes name, if they are a block at all.
    let block: SealedBlock?
    let isMalformed: Bool

    init(_ part: JournalLayout.Part, _ bytes: [UInt8], isAuthentic: Bool) {
      let padded =
        Array(bytes.prefix(part.capacity)) + [UInt8](repeating: 0, count: max(0, part.capacity - bytes.count))
      self.bytes = padded
      self.isAuthentic = isAuthentic
      do throws(FieldError) {
        block = try SealedBlock(part, reading: padded)
        isMalformed = false
      } catch {
        block = nil
        isMalformed = true
      }
    }
  }

  func check(_ choices: inout Choices) {
    let landing = choices.optional { _ in Intent.Landing(number: Self.number, key: Self.flightKey) }
    let answer = answer(&choices)
    let intent = piece(.intent, &choices) { number, identity, key throws(FieldError) in
      let moment = BootMoment(boot: BootID(high: 1, low: 2), instant: BootInstant(nanoseconds: 3))
      let earlier = Intent.Earlier(first: moment, last: moment)
      let state: Intent.State =
        landing == nil
        ? .idle : .sending(at: moment, wall: WallInstant(seconds: 4), sends: 1, earlier: earlier)
      let hash = [UInt8](repeating: 9, count: Intent.hashCount)
      return try Intent(state: state, number: number, tokenHash: hash, landing: landing).seal(identity, journalKey: key)
    }
    let departed = piece(.departed, &choices) { number, identity, key throws(FieldError) in
      try SealedBlock(.departed, number, sealing: nothing(), identity, key: key)
    }
    let pad = piece(.pad, &choices) { number, identity, key throws(FieldError) in
      try SealedBlock(.pad, number, sealing: try AnswerFields.encode(answer), identity, key: key)
    }
    for (part, piece) in [(JournalLayout.Part.intent, intent), (.departed, departed), (.pad, pad)] {
      require(
        unsafe pwrite(descriptor, piece.bytes, piece.bytes.count, part.offset) == piece.bytes.count, "it is written")
    }
    compare(intent, departed, pad, landing: landing, answer: answer)
  }

  private func compare(_ intent: Piece, _ departed: Piece, _ pad: Piece, landing: Intent.Landing?, answer: HTTPAnswer) {
    do throws(JournalFileError) {
      let contents = try JournalContents(file, Self.identity, journalKey: Self.journalKey)
      require((contents.intent != nil) == intent.isAuthentic, "an intent counts when it is authentic, and only then")
      require(contents.intent?.number == (intent.isAuthentic ? intent.block?.number : nil), "it names its own flight")
      let isAwaited = intent.isAuthentic && landing != nil
      let padCounts = isAwaited && pad.isAuthentic
      require((contents.pad != nil) == padCounts, "a pad counts when it is authentic and awaited, and only then")
      require(contents.pad == nil || contents.pad?.body.revealed == answer.body.revealed, "it says what landed")
      let namesFlight = departed.block?.number == Self.number
      require(
        contents.isDeparted == (departed.isMalformed || isAwaited && namesFlight),
        "a mark of departure counts unless it is another flight's")
      if departed.isAuthentic && isAwaited { require(contents.isDeparted, "an authentic mark counts") }
    } catch {
      require(false, "a journal of ours can be read: whatever lies in it")
    }
  }

  private func nothing() -> SecretBytes {
    do throws(SecretMemoryExhausted) { return unsafe try SecretBytes(copying: [UInt8]().span.bytes) } catch {
      preconditionFailure("there is memory for nothing")
    }
  }

  private func answer(_ choices: inout Choices) -> HTTPAnswer {
    HTTPAnswer(
      status: 100 + Int(choices.number(UInt16.self)) % 500,
      date: choices.optional { WallInstant(seconds: $0.number()) }, retryAfter: choices.optional { $0.number() },
      contentType: String(choices.text().unicodeScalars.prefix(30)), body: SecretBox(fuzzed: choices.chunk()),
      isTruncated: choices.bool(), receivedAt: .init(nanoseconds: choices.number()),
      receivedBoot: BootID(high: choices.number(), low: choices.number()),
      receivedWall: .init(seconds: choices.number()))
  }

  /// A part with nothing, something, the right block, or a right block for something else, and then some of it changed.
  private func piece(
    _ part: JournalLayout.Part, _ choices: inout Choices,
    _ seal: (FlightNumber, JournalIdentity, SecretBox) throws(FieldError) -> SealedBlock
  ) -> Piece {
    let right = part == .intent ? Self.journalKey : Self.flightKey
    let mine = Self.identity
    var (number, identity, key) = (Self.number, mine, right)
    switch choices.byte() % 12 {
    case 0: return Piece(part, [], isAuthentic: false)
    case 1: return Piece(part, choices.chunk(), isAuthentic: false)
    case 2: number = FlightNumber(generation: choices.number(), flight: Self.number.flight)
    case 3: number = FlightNumber(generation: Self.number.generation, flight: choices.number())
    case 4: key = Self.otherKey
    case 5: key = part == .intent ? Self.flightKey : Self.journalKey
    case 6: identity = .init(user: mine.user ^ 1, machine: mine.machine, account: mine.account, issuer: mine.issuer)
    case 7: identity = .init(user: mine.user, machine: "", account: mine.account, issuer: mine.issuer)
    case 8: identity = .init(user: mine.user, machine: mine.machine, account: mine.issuer, issuer: mine.account)
    case 9: identity = .init(user: mine.user, machine: mine.machine, account: mine.account, issuer: choices.text())
    default: break
    }
    do throws(FieldError) {
      let block = try seal(number, identity, key).bytes
      let changed = FuzzTarget.mutated(block, &choices)
      // An intent may name any flight: it is the vault's own word.
      let isRight = (number == Self.number || part == .intent) && identity == mine && key.isEqual(to: right)
      let piece = Piece(part, changed, isAuthentic: false)
      // What follows a block is nobody's, and a zero that was cut off its end is back on disk.
      return Piece(part, changed, isAuthentic: isRight && piece.bytes.starts(with: block))
    } catch {
      preconditionFailure("what is made here can be sealed")
    }
  }
}
