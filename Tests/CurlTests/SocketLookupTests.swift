import Curl
import Glibc
import Testing

/// Whose a listener is, as this machine's kernel says when it is asked in either way.
struct SocketLookupTests {
  static let places = [
    ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"), ("::", "::1"), ("::1", "::1"),
  ]

  @Test(arguments: SocketLookup.Way.allCases, places)
  func `a connection that we accepted leads to us`(_ way: SocketLookup.Way, _ place: (String, String)) throws {
    try expect(way, place, accepting: true)
  }

  @Test(arguments: SocketLookup.Way.allCases, places)
  func `a connection that nobody accepted leads to who listens`(
    _ way: SocketLookup.Way, _ place: (String, String)
  ) throws { try expect(way, place, accepting: false) }

  @Test(arguments: SocketLookup.Way.allCases)
  func `where nobody listens, nobody is found`(_ way: SocketLookup.Way) throws {
    let nowhere = SocketTable.Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 1)
    let table = try #require(SocketLookup([way]).table(from: nowhere, to: nowhere))
    #expect(!table.leads(from: nowhere, to: nowhere, onlyTo: getuid()))
  }

  @Test func `without a way nothing is known`() throws {
    let nowhere = SocketTable.Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 1)
    #expect(SocketLookup([]).table(from: nowhere, to: nowhere) == nil)
  }

  private func expect(_ way: SocketLookup.Way, _ place: (String, String), accepting: Bool) throws {
    let pair: LoopbackPair
    do {
      pair = try LoopbackPair(listeningAt: place.0, connectingTo: place.1, accepting: accepting)
    } catch let failure as LoopbackPair.Failure {
      // A machine may have no IPv6; its own IPv4 address it has.
      #expect(place.0.contains(":") && [EADDRNOTAVAIL, EAFNOSUPPORT].contains(failure.code))
      return print("not done here: no address \(place.0)")
    }
    let table = try #require(SocketLookup([way]).table(from: pair.client, to: pair.server))
    #expect(table.leads(from: pair.client, to: pair.server, onlyTo: getuid()))
    #expect(!table.leads(from: pair.client, to: pair.server, onlyTo: getuid() + 1))
  }
}
