import Secrets
import Testing

@Suite struct SecretBytesTests {
  @Test func `what was copied in is what is there`() throws {
    let secret = try secret("sentinel")
    #expect(bytes(of: secret) == Array("sentinel".utf8))
  }

  @Test func `as many bytes are kept as were filled`() throws {
    let secret = try unsafe SecretBytes(capacity: 300) { room in
      for (offset, byte) in "abc".utf8.enumerated() { unsafe room[offset] = byte }
      return 3
    }
    #expect(bytes(of: secret) == Array("abc".utf8))
  }

  @Test(arguments: [0, 1, 63, 64, 65, 4096, 70_000])
  func `a secret of any size is kept whole`(size: Int) throws {
    let secret = try unsafe SecretBytes(capacity: size) { room in
      for offset in 0..<size { unsafe room[offset] = UInt8(truncatingIfNeeded: offset) }
      return size
    }
    #expect(bytes(of: secret) == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func `the room is zero before it is filled`() throws {
    let secret = try unsafe SecretBytes(capacity: 128) { room in room.count }
    #expect(bytes(of: secret).allSatisfy { $0 == 0 })
  }

  @Test func `what the filling throws comes through`() {
    struct Odd: Error {}
    #expect(throws: Odd.self) {
      _ = try unsafe SecretBytes(capacity: 8) { _ in throw Odd() }
    }
  }

  @Test func `more than the arena holds is refused with what was asked`() {
    #expect {
      _ = try unsafe SecretBytes(capacity: SecretArena.capacity + 1) { _ in 0 }
    } throws: { error in
      (error as? SecretMemoryExhausted)?.requested == SecretArena.capacity + 1
    }
  }

  @Test func `a secret is wiped when it is let go`() throws {
    var address: UnsafeRawPointer?
    do {
      let secret = try secret("a sentinel of this one test")
      unsafe secret.withUnsafeBytes { unsafe address = $0.baseAddress }
    }
    // The arena stays mapped; another test may have taken the slot by now, but never holds these words.
    let left = unsafe UnsafeRawBufferPointer(start: address, count: 27)
    #expect(unsafe Array(left) != Array("a sentinel of this one test".utf8))
  }

  @Test func `a secret that filled more than it kept is wiped as a whole`() throws {
    var address: UnsafeRawPointer?
    let secret = try unsafe SecretBytes(capacity: 256) { room in
      unsafe address = UnsafeRawPointer(room.baseAddress)
      for offset in 0..<256 { unsafe room[offset] = 0xA5 }
      return 1
    }
    let left = unsafe UnsafeRawBufferPointer(start: address, count: 256)
    #expect(unsafe left.contains { $0 != 0xA5 })
    #expect(secret.count == 1)
  }

  @Test func `many at once never share a byte`() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for mark in 0..<64 as Range<UInt8> {
        group.addTask {
          try (1..<100).allSatisfy { size in
            let secret = try unsafe SecretBytes(capacity: size) { room in
              for offset in 0..<size { unsafe room[offset] = mark }
              return size
            }
            return bytes(of: secret).allSatisfy { $0 == mark }
          }
        }
      }
      for try await isIntact in group { #expect(isIntact) }
    }
  }

  @Test(arguments: [("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("", "", true)])
  func `secrets are compared by their bytes`(left: String, right: String, same: Bool) throws {
    #expect(try SecretBox(secret(left)).isEqual(to: SecretBox(secret(right))) == same)
  }

  @Test func `the arena counts what is in use`() throws {
    let secret = try unsafe SecretBytes(capacity: 100) { $0.count }
    #expect(SecretArena.shared.bytesInUse >= 128)
    #expect(secret.count == 100)
  }

  @Test func `a boxed secret prints as redacted`() throws {
    let box = SecretBox(try secret("sentinel"))
    var dumped = ""
    dump(box, to: &dumped)
    #expect("\(box)" == "<redacted>")
    #expect(String(reflecting: box) == "<redacted>")
    #expect(!dumped.contains("sentinel"))
  }

  private func secret(_ text: String) throws -> SecretBytes {
    let bytes = Array(text.utf8)
    return try unsafe SecretBytes(copying: bytes.span.bytes)
  }
}

private func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
  unsafe secret.withUnsafeBytes { unsafe Array($0) }
}
