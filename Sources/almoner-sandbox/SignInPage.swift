import HTTPServer

/// The page with the people who can sign in.
enum SignInPage {
  /// `transaction` is our own random text; `locales` is taken and, as the page is in English, not used.
  static func response(transaction: String, redirect: RegisteredRedirect, locales: String?) -> HTTPResponse {
    let people = Person.all.map(card).joined(separator: "\n")
    let main = """
      <span class="badge">Sandbox</span>
      <h1>Who is signing in?</h1>
      <p>You will go back to <strong>\(HTMLPage.escape(redirect.origin))</strong>.</p>
      <form method="post" action="/sign-in" autocomplete="off">
      <input type="hidden" name="transaction" value="\(transaction)">
      \(people)
      <button class="cancel" name="as" value="cancel">Cancel and go back</button>
      </form>
      """
    return HTMLPage.response(200, title: "Sign in", main: main, formTarget: redirect.origin)
  }

  private static func card(_ person: Person) -> String {
    """
    <button class="person" name="as" value="\(person.handle)">
    <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="9.5" r="4"/><path d="M4 22a8 8 0 0 1 16 0z"/></svg>
    <span><b>\(person.name)</b><span>\(person.email)<br>\(person.note)</span></span>
    </button>
    """
  }
}
