import JSON
import Secrets
import Testing

@Suite struct JSONWriterTests {
  @Test func `members and elements are separated`() {
    let text = written { writer in
      writer.object { writer in
        writer.member("a", "x")
        writer.member("b", 1)
        writer.member(
          "c",
          array: { writer in
            writer.int(-5)
            writer.object { _ in }
            writer.array { _ in }
            writer.null()
          })
        writer.member("d", object: { $0.member("e", true) })
        writer.member("f", strings: ["p", "q"])
      }
    }
    #expect(text == #"{"a":"x","b":1,"c":[-5,{},[],null],"d":{"e":true},"f":["p","q"]}"#)
  }

  @Test func `what is nil is not written`() {
    let text = written { writer in
      writer.object { writer in
        writer.member("a", nil as String?)
        writer.member("b", nil as Int64?)
        writer.member("c", nil as Bool?)
        writer.member("d", secret: nil)
        writer.member("e", strings: nil)
      }
    }
    #expect(text == "{}")
  }

  @Test(arguments: [
    ("\"\\/", #""\"\\/""#), ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#), ("\0\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""),
    ("é😀", "\"é😀\""), ("", "\"\""),
  ])
  func `a string is escaped`(value: String, text: String) {
    #expect(written(.string(value)) == text)
  }

  /// Long strings are looked at by several bytes at a time.
  @Test(arguments: ["\0", "\u{1f}", "\"", "\\"], 0..<25)
  func `a character is escaped wherever it stands`(character: Character, place: Int) throws {
    // Bytes beside those that are escaped, and with the top bit set.
    let plain = Array(" !#[]\u{7f}é😀\u{80}~abcdefghijklmnopqrstuvwxyz")
    let value = String(plain[..<place]) + String(character) + String(plain[place...])
    let text = written(.string(value))
    #expect(text.utf8.allSatisfy { $0 >= 0x20 })
    let again = try JSONReader.parse(unsafe text.utf8.span.bytes)
    #expect(again == .string(value))
    #expect(text.utf8.count == value.utf8.count + 2 + (character < " " ? 5 : 1))
  }

  @Test(arguments: [
    (Int64.min, "-9223372036854775808"), (.max, "9223372036854775807"), (0, "0"), (10, "10"), (-7, "-7"),
  ])
  func `an integer is written in full`(value: Int64, text: String) {
    #expect(written(.integer(value)) == text)
  }

  @Test func `two messages may share a buffer`() {
    var buffer = WipedBuffer()
    buffer.appendObject { $0.member("a", 1) }
    buffer.append(0)
    buffer.appendObject { $0.member("b", 2) }
    #expect(unsafe buffer.withUnsafeBytes { unsafe Array($0) } == Array("{\"a\":1}\0{\"b\":2}".utf8))
  }
}
