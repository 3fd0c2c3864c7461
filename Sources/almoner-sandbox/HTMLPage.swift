import HTTPServer
import Sodium

/// The frame of every page: self-contained, locked by its policy, light or dark as the person likes.
enum HTMLPage {
  static let guarding: [HTTPRequest.Header] = [
    .init("Cache-Control", "no-store"), .init("Referrer-Policy", "no-referrer"),
    .init("X-Content-Type-Options", "nosniff"),
  ]

  /// `formTarget`: where, besides here, a form of this page may lead. `script`: the only one that it may run.
  static func response(
    _ status: Int, title: String, main: String, formTarget: String = "", script: String? = nil
  ) -> HTTPResponse {
    let scripts = script.map { " script-src 'sha256-\(hash($0))';" } ?? ""
    let policy =
      "default-src 'none'; style-src 'sha256-\(styleHash)';\(scripts) form-action 'self' \(formTarget); frame-ancestors 'none'; base-uri 'none'"
    let html = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · Almoner sandbox</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      \(main)
      </main>
      <footer>Sandbox issuer: everybody here is made up, and nothing is kept.</footer>
      \(script.map { "<script>\($0)</script>" } ?? "")
      </body>
      </html>

      """
    return HTTPResponse(
      status, type: "text/html; charset=utf-8", html, headers: guarding + [.init("Content-Security-Policy", policy)])
  }

  /// Text as HTML text or attribute.
  static func escape(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
  }

  private static let styleHash = hash(style)

  /// Base64 of a text's SHA-256 (CSP3 §8.4): base64url with the other two characters and padding.
  private static func hash(_ text: String) -> String {
    let url = Base64URL.encode(SHA256.digest(Array(text.utf8)))
    return String(url.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
  }

  private static let style = """
    :root{--paper:#f4f2ee;--card:#fff;--ink:#1c1b19;--soft:#5f5b53;--line:#dcd7cd;--accent:#24557a;--badge:#fbe9c6;--badge-ink:#5d4200}
    @media (prefers-color-scheme:dark){:root{--paper:#151412;--card:#201f1c;--ink:#f3f0ea;--soft:#b3aea3;--line:#3a3731;\
    --accent:#8dc3ec;--badge:#453613;--badge-ink:#f6dda0}}
    *{box-sizing:border-box;margin:0}
    body{min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.5rem;\
    padding:1.5rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,"Noto Sans",sans-serif}
    main{width:100%;max-width:27rem;padding:clamp(1.25rem,7vw,2rem);background:var(--card);border:1px solid var(--line);border-radius:1rem}
    .badge{display:inline-block;padding:.125rem .625rem;border-radius:1rem;background:var(--badge);color:var(--badge-ink);\
    font-size:.8125rem;font-weight:600}
    h1{margin:.75rem 0 .25rem;font-size:1.5rem;line-height:1.25}
    p{color:var(--soft)}
    form{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;margin-top:1.5rem}a{color:var(--accent)}
    button{font:inherit;color:inherit;cursor:pointer;border-radius:.75rem;border:1px solid var(--line);background:none}
    .person{display:grid;grid-template-columns:auto minmax(0,1fr);align-items:center;gap:1rem;padding:.875rem 1rem;text-align:left}
    .person svg{width:2.75rem;height:2.75rem;border-radius:50%;background:var(--paper);fill:var(--accent)}
    .person b{display:block;font-weight:600}.person span span{overflow-wrap:anywhere;color:var(--soft);font-size:.9375rem}
    .person:hover{border-color:var(--accent)}
    .cancel{padding:.625rem;border-color:transparent;color:var(--soft);text-decoration:underline}
    .wide{padding:.75rem;background:var(--accent);color:var(--card);font-weight:600}
    label{display:grid;gap:.25rem}input{font:inherit;width:100%;padding:.625rem .75rem;border:1px solid var(--line);\
    border-radius:.75rem;background:var(--paper);color:var(--ink)}
    code{overflow-wrap:anywhere;color:var(--ink)}.wrong{margin-top:.75rem;color:var(--ink);font-weight:600}
    button:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    strong{color:var(--ink);overflow-wrap:anywhere}
    footer{color:var(--soft);font-size:.875rem;text-align:center}
    """
}
