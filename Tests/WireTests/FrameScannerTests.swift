import Secrets
import Testing
import Wire

@Suite struct FrameScannerTests {
  @Test func `a frame ends before its NUL`() {
    #expect(found([Array("abc\0de".utf8)], limit: 8) == [.frame(3), .nothing])
  }

  @Test func `frames that came together are found one by one`() {
    #expect(found([Array("a\0bc\0\0".utf8)], limit: 8) == [.frame(1), .frame(2), .frame(0), .nothing])
  }

  @Test func `a frame that comes in pieces is found when it ends`() {
    #expect(found([Array("ab".utf8), Array("c".utf8), [0]], limit: 8) == [.nothing, .nothing, .frame(3), .nothing])
  }

  @Test func `a frame as large as the limit is found`() {
    #expect(found([Array("abcd\0".utf8)], limit: 4) == [.frame(4), .nothing])
  }

  @Test func `a larger frame is too large`() {
    #expect(found([Array("abcde\0".utf8)], limit: 4) == [.tooLarge])
  }

  @Test func `a frame is too large before it ends`() {
    #expect(found([Array("abcd".utf8), Array("e".utf8)], limit: 4) == [.nothing, .tooLarge])
  }

  /// Feeds pieces and consumes every frame that is found.
  private func found(_ pieces: [[UInt8]], limit: Int) -> [FrameScanner.Found] {
    var scanner = FrameScanner(limit: limit)
    var buffer = WipedBuffer()
    var all: [FrameScanner.Found] = []
    for piece in pieces {
      unsafe buffer.append(piece.span.bytes)
      var latest = FrameScanner.Found.nothing
      repeat {
        latest = scanner.next(in: buffer)
        all.append(latest)
        if case .frame(let count) = latest { buffer.consume(count + 1) }
      } while latest != .nothing && latest != .tooLarge
    }
    return all
  }
}
