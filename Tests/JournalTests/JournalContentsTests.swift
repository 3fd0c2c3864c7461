import Exchange
import Glibc
import Journal
import Secrets
import Sodium
import Testing
import Time

/// What is believed of a journal whose bytes somebody else may have written.
struct JournalContentsTests {
  @Test func `what was written is read`() throws {
    let desk = try Desk()
    let found = try desk.write().read()
    #expect(found.intent?.number == desk.number && found.isDeparted && found.pad?.status == 200 && found.forged == 0)
  }

  @Test func `an intent fits one sector and says when its token was sent before`() throws {
    let desk = try Desk()
    #expect(try desk.sealedIntent().bytes.count <= 512)
    let moment = Desk.lastMoment
    let earlier = Intent.Earlier(first: moment, last: moment)
    let state = Intent.State.sending(at: moment, wall: WallInstant(seconds: .max), sends: .max, earlier: earlier)
    #expect(try desk.write().read().intent?.state == state)
  }

  @Test func `an empty file holds nothing and nothing forged`() throws {
    let found = try Desk().read()
    #expect(found.intent == nil && !found.isDeparted && found.pad == nil && found.forged == 0)
  }

  @Test(arguments: JournalLayout.Part.allCases, [0, 3, 4, 19, 20, 44, 59])
  func `a changed bit is noticed`(_ part: JournalLayout.Part, _ position: Int) throws {
    let desk = try Desk().write()
    try desk.flip(part, position)
    let found = try desk.read()
    switch part {
    case .intent: #expect(found.intent == nil && found.pad == nil && found.forged >= 1)
    // The flight's number in the clear: the mark or pad is another flight's then.
    case .departed: #expect(found.forged == 1 || (4..<20).contains(position))
    case .pad: #expect(found.pad == nil && (found.forged == 1 || (4..<20).contains(position)))
    }
  }

  @Test(arguments: [JournalLayout.Part.intent, .pad])
  func `C7 of a block with any bit flipped nothing is believed`(_ part: JournalLayout.Part) throws {
    let desk = try Desk().write()
    for bit in 0..<(try desk.used(part) * 8) {
      try desk.flip(part, bit / 8, bit: UInt8(bit % 8))
      let found = try desk.read()
      #expect(found.pad == nil && (found.intent == nil) == (part == .intent), "bit \(bit)")
      try desk.flip(part, bit / 8, bit: UInt8(bit % 8))
    }
    #expect(try desk.read().pad != nil)
  }

  @Test(arguments: [JournalLayout.Part.intent, .pad])
  func `C7 of a block cut at any byte nothing is believed`(_ part: JournalLayout.Part) throws {
    let desk = try Desk().write()
    for length in 0..<(try desk.used(part)) {
      try desk.whileCut(part, length) {
        let found = try desk.read()
        #expect(found.pad == nil && (found.intent == nil) == (part == .intent), "cut to \(length)")
      }
    }
    #expect(try desk.read().pad != nil)
  }

  @Test func `a mark that was tampered with counts as departed`() throws {
    let desk = try Desk().write()
    try desk.flip(.departed, 40)
    #expect(try desk.read().isDeparted)
  }

  @Test(arguments: [21, 60, 100])
  func `a pad that was cut short is no pad`(_ length: Int) throws {
    let desk = try Desk().write()
    try desk.cut(.pad, length)
    let found = try desk.read()
    #expect(found.pad == nil && found.forged == 1)
  }

  @Test(arguments: [
    JournalIdentity(user: 2, machine: "m", account: Desk.account, issuer: "i"),
    JournalIdentity(user: 1, machine: "other", account: Desk.account, issuer: "i"),
    JournalIdentity(user: 1, machine: "m", account: String(Desk.account.reversed()), issuer: "i"),
    JournalIdentity(user: 1, machine: "m", account: Desk.account, issuer: "other"),
  ])
  func `nothing can be brought here from elsewhere`(_ identity: JournalIdentity) throws {
    let found = try Desk().write(as: identity).read()
    #expect(found.intent == nil && found.pad == nil && found.forged >= 1)
  }

  @Test func `a pad that anybody else made is forged`() throws {
    let desk = try Desk().write()
    try desk.landForged()
    let found = try desk.read()
    #expect(found.intent != nil && found.pad == nil && found.forged == 1)
  }

  @Test func `no byte of a pad can be changed or cut off`() throws {
    let desk = try Desk().write()
    let length = try desk.padLength()
    for position in 20..<length {
      try desk.flip(.pad, position)
      #expect(try desk.read().pad == nil, "byte \(position)")
      try desk.flip(.pad, position)
    }
    #expect(try desk.read().pad != nil)
    // The last byte is one of the tag, which may be a zero already: cutting only that one may change nothing.
    for kept in stride(from: length - 2, through: 20, by: -1) {
      try desk.cut(.pad, kept)
      #expect(try desk.read().pad == nil, "\(kept) bytes left")
    }
  }

  @Test(arguments: [FlightNumber(generation: 3, flight: 8), FlightNumber(generation: 2, flight: 9)])
  func `a pad of another flight is not this one's`(_ number: FlightNumber) throws {
    let desk = try Desk().write()
    try desk.land(number)
    let found = try desk.read()
    #expect(found.pad == nil && found.forged == 0)
  }

  @Test func `a pad of another flight under this one's number is forged`() throws {
    let desk = try Desk().write()
    try desk.land(FlightNumber(generation: 3, flight: 8))
    try desk.number(.pad, desk.number)
    let found = try desk.read()
    #expect(found.pad == nil && found.forged == 1)
  }

  @Test func `without the journal key nothing is believed`() throws {
    let desk = try Desk().write()
    let found = try desk.read(key: SecretBox(try Random.secret(count: 32)))
    #expect(found.intent == nil && found.pad == nil)
  }

  @Test func `the longest answer fits the pad`() throws {
    let desk = try Desk().write(body: HTTPAnswer.maximumBody)
    #expect(try desk.read().pad?.body.count == HTTPAnswer.maximumBody)
  }

  @Test func `a sealed intent stays within one sector`() throws {
    let desk = try Desk()
    #expect(try desk.sealedIntent().bytes.count <= 512)
  }
}
