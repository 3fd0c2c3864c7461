import Exchange
import Secrets

// How the parts of a request are written and read.

extension FieldWriter {
  mutating func write(_ request: OutgoingRequest) {
    write(request.method.rawValue)
    write(request.url)
    write(optional: request.bearer) { $0.write($1) }
    write(optional: request.basic) { $0.write($1) }
    write(optional: request.dpopProof) { $0.write($1) }
    write(optional: request.contentType) { $0.write($1.rawValue) }
    write(optional: request.body) { $0.write($1) }
    write(optional: request.egress.caFile) { $0.write($1) }
    write(optional: request.egress.proxy) { $0.write($1) }
    write(request.egress.plainLoopback)
    write(request.egress.publicOnly)
  }

  mutating func write(_ ticket: Ticket) {
    write(ticket.identity.user)
    write(ticket.identity.machine)
    write(ticket.identity.account)
    write(ticket.identity.issuer)
    write(ticket.number.generation)
    write(ticket.number.flight)
    write(ticket.key)
    write(ticket.landing.rawValue)
  }
}

extension FieldReader {
  /// The longest name of a method or media type that is written.
  private static var maximumName: Int { 64 }

  mutating func briefing() throws(FieldError) -> Briefing {
    let journal = try optional { reader throws(FieldError) in
      let directory = try reader.text(atMost: Freight.maximumPath)
      return Briefing.Place(
        directory: directory, name: try reader.text(atMost: Freight.maximumPath),
        inode: JournalFile.Inode(device: try reader.number(), number: try reader.number()))
    }
    var briefing = Briefing(journal: journal, caFile: try path())
    briefing.faults = try path()
    return briefing
  }

  mutating func request() throws(FieldError) -> OutgoingRequest {
    guard let method = OutgoingRequest.Method(rawValue: try text(atMost: Self.maximumName)) else { throw .malformed }
    let url = try text(atMost: OutgoingRequest.maximumURL)
    let bearer = try optional { reader throws(FieldError) in try reader.secret(atMost: Freight.maximumBearer) }
    let basic = try optional { reader throws(FieldError) in try reader.secret(atMost: Freight.maximumBearer) }
    let proof = try optional { reader throws(FieldError) in try reader.secret(atMost: Freight.maximumBearer) }
    let type = try optional { reader throws(FieldError) in try reader.contentType() }
    let body = try optional { reader throws(FieldError) in try reader.secret(atMost: Freight.maximumBody) }
    let egress = EgressPolicy(caFile: try path(), proxy: try path(), plainLoopback: try bool(), publicOnly: try bool())
    return OutgoingRequest(
      method, url, bearer: bearer, basic: basic, dpopProof: proof, contentType: type, body: body, egress: egress)
  }

  mutating func ticket() throws(FieldError) -> Ticket {
    let identity = JournalIdentity(
      user: try number(), machine: try text(atMost: Freight.maximumPath), account: try text(atMost: Self.maximumName),
      issuer: try text(atMost: OutgoingRequest.maximumURL))
    let number = FlightNumber(generation: try number(), flight: try number())
    let key = try secret(atMost: 32)
    guard key.count == 32, let landing = Ticket.Landing(rawValue: try self.number()) else { throw .malformed }
    return Ticket(identity: identity, number: number, key: key, landing: landing)
  }

  private mutating func path() throws(FieldError) -> String? {
    try optional { reader throws(FieldError) in try reader.text(atMost: Freight.maximumPath) }
  }

  private mutating func contentType() throws(FieldError) -> OutgoingRequest.ContentType {
    guard let type = OutgoingRequest.ContentType(rawValue: try text(atMost: Self.maximumName)) else {
      throw .malformed
    }
    return type
  }
}
