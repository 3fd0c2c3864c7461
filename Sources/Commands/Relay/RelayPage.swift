/// The page at an HTTPS redirect: one static file, without anything from elsewhere and without a server behind it.
enum RelayPage {
  /// The file. Only the redirect URI in it differs from one to another, so that script and sheet keep their digests.
  static func html(for redirect: RelayAddress) -> String {
    """
    <!DOCTYPE html>
    <html lang="en" dir="ltr">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="referrer" content="no-referrer">
    <meta name="robots" content="noindex, nofollow">
    <meta name="almoner-redirect-uri" content="\(redirect.text)">
    <script>\(RelayScript.text)</script>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Almoner</title>
    <style>\(RelayStyle.sheet)</style>
    </head>
    <body>
    <noscript><main><h1>Scripts are off</h1>
    <p>Without them this page can hand nothing over. Copy the address of this page and paste it into the terminal in \
    which you started <code>almoner login</code>, and nowhere else.</p></main></noscript>
    <main id="page" hidden>
    <svg viewBox="0 0 24 24" width="48" height="48" aria-hidden="true"><circle cx="12" cy="12" r="11"/>\
    <path d="M7 12h9m-3.5-3.5L16 12l-3.5 3.5"/></svg>
    <h1 id="heading"></h1>
    <p id="body"></p>
    <div id="handing" hidden>
    <p><button id="again" type="button"></button></p>
    <p><button id="trouble" type="button" class="quiet" aria-expanded="false" aria-controls="fallback"></button></p>
    <div id="fallback" hidden>
    <p id="paste"></p>
    <textarea id="text" rows="4" dir="ltr" readonly spellcheck="false" autocomplete="off" aria-labelledby="paste">\
    </textarea>
    <p><button id="copy" type="button"></button> <span id="copied" role="status"></span></p>
    </div>
    <p id="promise" class="small"></p>
    </div>
    <footer>Almoner</footer>
    </main>
    </body>
    </html>

    """
  }

  private static let policy =
    "default-src 'none'; script-src '\(RelayScript.hash)'; style-src '\(RelayStyle.hash)'; base-uri 'none'; "
    + "form-action 'none'"
}
