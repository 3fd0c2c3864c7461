import Exchange
import Secrets
import Testing

/// The frame's bytes, for comparing.
private func bytes(_ frame: CallbackFrame) throws -> [UInt8] {
  let encoded = try frame.encoded()
  return unsafe encoded.withUnsafeBytes { unsafe Array($0) }
}

private func decode(_ bytes: [UInt8]) throws -> (frame: CallbackFrame, count: Int)? {
  try unsafe bytes.withUnsafeBytes { unsafe try CallbackFrame.decode($0) }
}

private func query(_ text: String) throws -> CallbackFrame {
  let bytes = Array(text.utf8)
  return .query(SecretBox(unsafe try SecretBytes(copying: bytes.span.bytes)))
}

private let listen = CallbackFrame.Listen(
  authority: "localhost:21873", path: "/callback", anyPort: false, deadline: 600, uid: 1000)

struct CallbackFrameTests {
  @Test func `every frame comes back as it went`() throws {
    let frames: [CallbackFrame] = try [
      .listen(listen), .listening(port: 65535), .portBusy, .failed(errno: 13), query("code=a&state=b"), query(""),
    ]
    for frame in frames + CallbackFrame.Verdict.allCases.map(CallbackFrame.verdict) {
      let there = try bytes(frame)
      let back = try #require(try decode(there))
      let again = try bytes(back.frame)
      #expect(back.count == there.count && again == there)
    }
  }

  @Test func `a frame of which the end is missing is waited for`() throws {
    let whole = try bytes(.listen(listen))
    for count in 0..<whole.count { #expect(try decode(Array(whole[..<count])) == nil) }
  }

  @Test func `only the first of two frames is taken`() throws {
    let first = try bytes(.portBusy)
    #expect(try decode(first + first)?.count == first.count)
  }

  @Test(
    arguments: [
      ([0, 0, 0x40, 1, 5], CallbackFrame.Malformed.tooLong), ([0, 0, 0, 1, 9], .unknownKind),
      ([0, 0, 0, 0], .wrongFields), ([0, 0, 0, 2, 2, 9], .wrongFields), ([0, 0, 0, 2, 4, 0], .wrongFields),
      ([0, 0, 0, 2, 3, 0], .wrongFields),
    ] as [([UInt8], CallbackFrame.Malformed)])
  func `bytes that are no frame are refused by name`(_ bytes: [UInt8], _ error: CallbackFrame.Malformed) {
    #expect(throws: error) { try decode(bytes) }
  }
}
