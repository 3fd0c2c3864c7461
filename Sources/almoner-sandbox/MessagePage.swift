import HTTPServer

/// Pages that end a visit. None of them leads anywhere.
enum MessagePage {
  /// The redirect is not registered.
  static let unregistered = page(
    "This address is not registered",
    "The application asked to be answered at a redirect URI that is not registered here, character by character. You were not sent there."
  )

  /// The query or form cannot be read.
  static let malformed = page(
    "This request cannot be read", "A parameter is missing, is there twice, or is not well-formed.")

  /// The transaction is used up or older than ten minutes.
  static let over = page(
    "This sign-in is over",
    "It was finished already, or it is older than ten minutes. Start again from your application.")

  /// The person has answered, and there is nowhere to go back to.
  static let answered = page(
    "Your answer was taken", "You can close this page and go back to your application.", status: 200)

  private static func page(_ heading: String, _ text: String, status: Int = 400) -> HTTPResponse {
    HTMLPage.response(
      status, title: heading, main: "<span class=\"badge\">Sandbox</span>\n<h1>\(heading)</h1>\n<p>\(text)</p>")
  }
}
