import Curl
import Testing

/// Whose a listener is, as the kernel's table tells. The tables are little-endian, as on every machine we run on.
struct SocketTableTests {
  private static let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

  @Test func `a listener of ours is ours`() throws {
    #expect(try leads([(Self.v4, "0100007F:1F90 00000000:0000 0A", 1000, 77)]))
  }

  @Test func `a listener of somebody else is not`() throws {
    #expect(try !leads([(Self.v4, "0100007F:1F90 00000000:0000 0A", 1001, 77)]))
  }

  @Test func `no listener, nobody's`() throws { #expect(try !leads([])) }

  @Test func `a listener on another port says nothing`() throws {
    #expect(try !leads([(Self.v4, "0100007F:1F91 00000000:0000 0A", 1000, 77)]))
  }

  @Test func `a stranger who listens on every address beside us counts`() throws {
    #expect(
      try !leads([
        (Self.v4, "0100007F:1F90 00000000:0000 0A", 1000, 77), (Self.v4, "00000000:1F90 00000000:0000 0A", 1001, 78),
      ]))
  }

  @Test func `a stranger who listens on both families counts`() throws {
    let any = String(repeating: "0", count: 32)
    #expect(try !leads([(Self.v6, "\(any):1F90 \(any):0000 0A", 1001, 78)]))
  }

  @Test func `a connection that a stranger accepted counts`() throws {
    #expect(
      try !leads([
        (Self.v4, "0100007F:1F90 00000000:0000 0A", 1000, 77), (Self.v4, "0100007F:1F90 0100007F:9C40 01", 1001, 79),
      ]))
  }

  @Test func `a connection that nobody has accepted yet says nothing`() throws {
    #expect(
      try leads([
        (Self.v4, "0100007F:1F90 00000000:0000 0A", 1000, 77), (Self.v4, "0100007F:1F90 0100007F:9C40 01", 0, 0),
      ]))
  }

  @Test(arguments: [
    "", "\n\n", "garbage", "  0: 0100007F:1F90", "  0: :1F90 x 0A y z", "0: 0100007F:1F90 z:z 0A 0 0 0 z 0 z",
  ])
  func `what cannot be read is nobody's`(_ text: String) throws {
    let table = SocketTable([Array((Self.head + text).utf8)], port: 8080)
    #expect(table.leads(from: try end("127.0.0.1", 40000), to: try end("127.0.0.1", 8080), onlyTo: 1000) == false)
  }

  private static let v4 = 0
  private static let v6 = 1

  private func leads(_ rows: [(Int, String, Int, Int)]) throws -> Bool {
    var tables = [Self.head, Self.head]
    for (family, ends, user, inode) in rows {
      tables[family] +=
        "   0: \(ends) 00000000:00000000 00:00000000 00000000  \(user)        0 \(inode) 1 0 100 0 0 10 0\n"
    }
    let table = SocketTable(tables.map { Array($0.utf8) }, port: 8080)
    return table.leads(from: try end("127.0.0.1", 40000), to: try end("127.0.0.1", 8080), onlyTo: 1000)
  }

  private func end(_ address: String, _ port: UInt16) throws -> SocketTable.Endpoint {
    SocketTable.Endpoint(address: try #require(IPAddress(address)), port: port)
  }
}
