import HTTPServer

/// The answers that a browser gets.
enum PageResponse {
  /// Sent with everything: nothing is stored, nothing leaks in a Referer, nothing runs, nobody frames it.
  private static let guarding: [HTTPRequest.Header] = [
    .init("Cache-Control", "no-store"),
    .init("Referrer-Policy", "no-referrer"),
    .init("X-Content-Type-Options", "nosniff"),
    .init("Cross-Origin-Resource-Policy", "same-origin"),
    .init("Cross-Origin-Opener-Policy", "same-origin"),
    .init(
      "Content-Security-Policy",
      "default-src 'none'; style-src '\(PageStyle.hash)'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    .init("Connection", "close"),
  ]

  /// Leads the tab away from the address that holds the code.
  static func redirect(to page: Page, under path: String) -> HTTPResponse {
    HTTPResponse(303, headers: guarding + [.init("Location", page.path(under: path))])
  }

  static func refusal(_ status: Int) -> HTTPResponse {
    HTTPResponse(status, headers: guarding + (status == 405 ? [.init("Allow", "GET")] : []))
  }

  /// The page in the language that the browser likes best.
  static func page(_ page: Page, languages: [String]) -> HTTPResponse {
    let texts = LanguagePreference(languages).choose(from: PageTexts.all)
    let headers = guarding + [.init("Content-Language", texts.language), .init("Vary", "Accept-Language")]
    return HTTPResponse(
      200, type: "text/html; charset=utf-8", html(texts, texts.text(of: page), page), headers: headers)
  }

  /// Our own texts only: nothing of a request is ever in a page.
  private static func html(_ texts: PageTexts, _ text: PageTexts.Text, _ page: Page) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(texts.language)" dir="\(texts.isRightToLeft ? "rtl" : "ltr")">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(text.heading) · Almoner</title>
    <style>\(PageStyle.sheet)</style>
    </head>
    <body>
    <main class="\(page.rawValue)">
    <svg viewBox="0 0 24 24" width="48" height="48" aria-hidden="true"><circle cx="12" cy="12" r="11"/>\
    <path d="\(PageStyle.mark(page))"/></svg>
    <h1>\(text.heading)</h1>
    <p>\(text.body)</p>
    <footer>Almoner</footer>
    </main>
    </body>
    </html>

    """
  }
}
