import JSON

/// The relay page in one language. A new language is one more entry in ``all``, and a new digest of the script.
struct RelayTexts {
  /// Primary language subtag (BCP 47).
  let language: String
  var isRightToLeft = false
  /// Headings and what is below them: an answer is handed over; there is none; the page stands in the wrong place.
  let handing: (heading: String, body: String)
  let nothing: (heading: String, body: String)
  let misplaced: (heading: String, body: String)
  /// The button that hands over once more.
  let again: String
  /// The button that shows the text to paste.
  let trouble: String
  /// Where, and only where, that text is to be pasted.
  let paste: String
  let copy: String
  let copied: String
  /// Why what the page carries is of no use to others.
  let promise: String

  /// The first one is what a browser gets that asks for none of them.
  static let all = [english, german, french, russian, arabic]

  func write(to writer: inout JSONWriter) {
    writer.member("direction", isRightToLeft ? "rtl" : "ltr")
    for (name, text) in [("handing", handing), ("nothing", nothing), ("misplaced", misplaced)] {
      writer.member(name, text.heading)
      writer.member(name + "Body", text.body)
    }
    writer.member("again", again)
    writer.member("trouble", trouble)
    writer.member("paste", paste)
    writer.member("copy", copy)
    writer.member("copied", copied)
    writer.member("promise", promise)
  }
}
