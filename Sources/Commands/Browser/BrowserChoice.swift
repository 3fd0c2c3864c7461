/// The commands that may open a page, in the order in which they are tried.
package struct BrowserChoice: Equatable, Sendable {
  /// Each is a program's name and the words after it, with the page's address in its place.
  package let commands: [[String]]

  /// `$BROWSER` is a list with colons between its commands, in which `%s` stands for the address and `%%` for a percent
  /// sign; a command without `%s` gets it as its last word. Without `BROWSER`, `xdg-open` where there is a display, on which
  /// it can show something. No shell is involved.
  package init(url: String, _ environment: Environment) {
    guard let list = environment["BROWSER"] else {
      commands = BrowserPlace(environment) == .here ? [["xdg-open", url]] : []
      return
    }
    commands = list.split(separator: ":").compactMap { Self.command(String($0), url) }
  }

  private static func command(_ text: String, _ url: String) -> [String]? {
    let words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty else { return nil }
    let filled = words.map { fill($0, url) }
    return filled.contains { $0.usesURL } ? filled.map(\.text) : filled.map(\.text) + [url]
  }

  private static func fill(_ word: String, _ url: String) -> (text: String, usesURL: Bool) {
    var text = "", usesURL = false
    var rest = word[...]
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("%", "s"):
        text += url
        usesURL = true
        rest.removeFirst()
      case ("%", "%"):
        text.append("%")
        rest.removeFirst()
      case _: text.append(character)
      }
    }
    return (text, usesURL)
  }
}
