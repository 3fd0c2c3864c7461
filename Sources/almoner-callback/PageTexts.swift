/// The final pages in one language. A new language is one more entry in ``all``.
struct PageTexts {
  struct Text {
    let heading: String
    let body: String

    init(_ heading: String, _ body: String) {
      self.heading = heading
      self.body = body
    }
  }

  /// Primary language subtag (BCP 47).
  let language: String
  var isRightToLeft = false
  let done: Text
  let denied: Text
  let refused: Text
  let again: Text
  let closed: Text

  func text(of page: Page) -> Text {
    switch page {
    case .done: done
    case .denied: denied
    case .refused: refused
    case .again: again
    case .closed: closed
    }
  }

  /// The first one is what a browser gets that asks for none of them.
  static let all = [english, german, french, russian, arabic]
}
