import Secrets
import Testing

@Suite struct WipedBufferTests {
  @Test func `what is appended comes out in order`() {
    var buffer = WipedBuffer()
    buffer.append("ab")
    buffer.append(UInt8(ascii: "c"))
    unsafe buffer.append([UInt8](repeating: UInt8(ascii: "d"), count: 500).span.bytes)
    #expect(bytes(of: buffer) == Array("abc".utf8) + [UInt8](repeating: UInt8(ascii: "d"), count: 500))
  }

  @Test func `a new buffer is empty`() {
    let buffer = WipedBuffer()
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
    #expect(bytes(of: buffer) == [])
  }

  @Test func `a prefix is consumed`() {
    var buffer = filled("abcdef")
    buffer.consume(2)
    buffer.append("g")
    #expect(bytes(of: buffer) == Array("cdefg".utf8))
  }

  @Test func `what was consumed is wiped`() {
    var buffer = filled("sentinel, rest")
    let start = unsafe buffer.withUnsafeBytes { $0.baseAddress }
    buffer.consume(8)
    #expect(unsafe Array(UnsafeRawBufferPointer(start: start, count: 8)) == [UInt8](repeating: 0, count: 8))
  }

  @Test func `removing all wipes all and keeps the storage`() {
    var buffer = filled("sentinel")
    let start = unsafe buffer.withUnsafeBytes { $0.baseAddress }
    buffer.removeAll()
    #expect(unsafe Array(UnsafeRawBufferPointer(start: start, count: 8)) == [UInt8](repeating: 0, count: 8))
    buffer.append("x")
    let next = unsafe buffer.withUnsafeBytes { $0.baseAddress }
    #expect(unsafe next == start)
  }

  @Test func `room is filled behind what is there`() {
    var buffer = filled("ab")
    let written = unsafe buffer.append(room: 10) { room in
      unsafe room[0] = UInt8(ascii: "c")
      return 1
    }
    #expect(written == 1)
    #expect(bytes(of: buffer) == Array("abc".utf8))
  }

  @Test func `a filling that failed keeps nothing`() {
    var buffer = filled("ab")
    let written = unsafe buffer.append(room: 10) { _ in -1 }
    #expect(written == -1)
    #expect(bytes(of: buffer) == Array("ab".utf8))
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 4), (4, 4), (5, nil), (99, nil)])
  func `a byte is found from an offset on`(offset: Int, place: Int?) {
    #expect(filled("a,bc,d").firstOffset(of: UInt8(ascii: ","), from: offset) == place)
  }

  @Test func `places count from the first byte that is left`() {
    var buffer = filled("ab,c,")
    buffer.consume(3)
    #expect(buffer.firstOffset(of: UInt8(ascii: ",")) == 1)
  }

  @Test func `the bytes move into the arena`() throws {
    var buffer = filled("sentinel")
    let secret = try buffer.takeSecret()
    #expect(unsafe secret.withUnsafeBytes { unsafe Array($0) } == Array("sentinel".utf8))
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
  }

  @Test func `what the arena cannot hold stays`() {
    var buffer = WipedBuffer()
    unsafe buffer.append([UInt8](repeating: 1, count: SecretArena.capacity + 1).span.bytes)
    #expect(throws: SecretMemoryExhausted.self) { _ = try buffer.takeSecret() }
    let left = buffer.count
    #expect(left == SecretArena.capacity + 1)
  }

  @Test(arguments: [("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("", "", true)])
  func `buffers are compared by their bytes`(left: String, right: String, same: Bool) {
    #expect(filled(left).isEqual(to: filled(right)) == same)
  }

  private func filled(_ text: String) -> WipedBuffer {
    var buffer = WipedBuffer()
    buffer.append(text)
    return buffer
  }
}

private func bytes(of buffer: borrowing WipedBuffer) -> [UInt8] {
  unsafe buffer.withUnsafeBytes { unsafe Array($0) }
}
