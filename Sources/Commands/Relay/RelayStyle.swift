/// How the relay page looks. The sheet is allowed by its digest, so the two constants change together.
enum RelayStyle {
  static let sheet = """
    :root{--paper:#f6f5f2;--card:#fff;--ink:#1d1d1b;--soft:#5d5b55;--line:#e2dfd8;--calm:#4b5f83;--onto:#fff}
    @media (prefers-color-scheme:dark){:root{--paper:#161614;--card:#21201e;--ink:#f2f0ea;--soft:#b0aca3;--line:#37352f;\
    --calm:#9db3dc;--onto:#161614}}
    *{box-sizing:border-box;margin:0}
    [hidden]{display:none!important}
    body{min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);\
    font:1.0625rem/1.6 system-ui,"Noto Sans","Noto Sans Arabic",sans-serif}
    main{width:100%;max-width:32rem;padding:2.5rem 2rem 1.5rem;background:var(--card);border:1px solid var(--line);\
    border-radius:1rem;text-align:center;overflow-wrap:anywhere}
    svg{fill:none;stroke:var(--calm);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
    [dir=rtl] svg{transform:scaleX(-1)}
    h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:600;text-wrap:balance}
    p{margin-top:.75rem;color:var(--soft);text-wrap:pretty}
    button{padding:.6rem 1.25rem;border:1px solid var(--calm);border-radius:.5rem;background:var(--calm);\
    color:var(--onto);font:inherit;cursor:pointer}
    button.quiet{border-color:transparent;background:none;color:var(--calm);text-decoration:underline}
    button:focus-visible,textarea:focus-visible{outline:3px solid var(--calm);outline-offset:2px}
    textarea{width:100%;margin-top:.75rem;padding:.5rem;border:1px solid var(--line);border-radius:.5rem;\
    background:var(--paper);color:var(--ink);font:.875rem/1.4 ui-monospace,monospace;text-align:left;resize:vertical}
    #fallback{text-align:start}
    .small,footer{font-size:.875rem}
    footer{margin-top:2rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft)}
    """

  /// `style-src` source of the sheet (CSP3 §8.4): base64 of its SHA-256. The integration test computes it anew.
  static let hash = "sha256-VoWE/sM947TSqPO6HrrEI2371J/bZHfqbH7hHkT38wk="
}
