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
