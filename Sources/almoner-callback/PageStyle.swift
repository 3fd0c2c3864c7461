/// How the final pages look. The sheet is allowed by its digest, so the two constants change together.
enum PageStyle {
  static let sheet = """
    :root{--paper:#f6f5f2;--card:#fff;--ink:#1d1d1b;--soft:#5d5b55;--line:#e2dfd8;--good:#1f7a4d;--bad:#a8482b;--calm:#4b5f83}
    @media (prefers-color-scheme:dark){:root{--paper:#161614;--card:#21201e;--ink:#f2f0ea;--soft:#b0aca3;--line:#37352f;\
    --good:#5fc492;--bad:#ef9273;--calm:#9db3dc}}
    *{box-sizing:border-box;margin:0}
    body{min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);\
    font:1.0625rem/1.6 system-ui,"Noto Sans","Noto Sans Arabic",sans-serif}
    main{width:100%;max-width:30rem;padding:2.5rem 2rem 1.5rem;background:var(--card);border:1px solid var(--line);\
    border-radius:1rem;text-align:center;overflow-wrap:anywhere}
    svg{fill:none;stroke:var(--calm);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
    .done svg{stroke:var(--good)}.denied svg,.refused svg{stroke:var(--bad)}
    h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:600;text-wrap:balance}
    p{color:var(--soft);text-wrap:pretty}
    footer{margin-top:2rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
    """

  /// `style-src` source of the sheet (CSP3 §8.4): base64 of its SHA-256. The integration test computes it anew.
  static let hash = "sha256-F3WyJs812bi4tqrDmoPcRAf8SHUuLLYcmB30gE19j5o="

  /// The sign in the circle: a tick, a cross, an arrow round, a dash.
  static func mark(_ page: Page) -> String {
    switch page {
    case .done: "M7 12.5l3.5 3.5L17 9"
    case .denied, .refused: "M8.5 8.5l7 7m0-7l-7 7"
    case .again: "M16.5 9.5A5 5 0 1 0 17 12.5M17 7v3h-3"
    case .closed: "M8 12h8"
    }
  }
}
