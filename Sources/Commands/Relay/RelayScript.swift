import JSON
import Secrets

/// What the relay page does. Allowed by its digest, so script, texts and digest change together.
enum RelayScript {
  static let text = "\"use strict\";const texts=\(texts);\n\(program)"

  /// `script-src` source of the script (CSP3 §8.4): base64 of its SHA-256. The integration test computes it anew.
  static let hash = "sha256-YAfO7lIygjoOyS/Ru1T4Hj6lbIWs08dyPCkStICNKpc="

  private static var texts: String {
    var writer = JSONWriter()
    writer.object { writer in
      for texts in RelayTexts.all { writer.member(texts.language, object: { texts.write(to: &$0) }) }
    }
    let bytes = writer.finish()
    return unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The address bar first: whatever goes wrong later, the code no longer stands there, nor in the tab's back list. In a
  /// frame nothing is handed over. The text to paste comes into the page only when it is asked for.
  private static let program = """
    const query = location.search, here = location.origin + location.pathname;
    history.replaceState(null, "", location.pathname);
    const made = new URL(document.querySelector("meta[name=almoner-redirect-uri]").content);
    const given = new URLSearchParams(query), count = name => given.getAll(name).length;
    const isAnswer = query.length <= 8192 && count("state") === 1 && count("code") + count("error") === 1
      && count("iss") <= 1 && top === self;
    const kind = made.origin + made.pathname !== here ? "misplaced" : isAnswer ? "handing" : "nothing";
    const handOver = () => { location.href = "almoner:callback?" + here + query; };
    document.addEventListener("DOMContentLoaded", () => {
      const at = id => document.getElementById(id);
      const wanted = (navigator.languages || []).map(tag => tag.toLowerCase().split("-")[0]);
      const language = wanted.find(tag => Object.hasOwn(texts, tag)) || "en", words = texts[language];
      document.documentElement.lang = language;
      document.documentElement.dir = words.direction;
      document.title = words[kind] + " · Almoner";
      at("heading").textContent = words[kind];
      at("body").textContent = words[kind + "Body"];
      for (const id of ["again", "trouble", "paste", "copy", "promise"]) at(id).textContent = words[id];
      at("handing").hidden = kind !== "handing";
      at("page").hidden = false;
      if (kind !== "handing") return;
      at("again").addEventListener("click", handOver);
      at("trouble").addEventListener("click", () => {
        at("trouble").setAttribute("aria-expanded", "true");
        at("text").value = here + query;
        at("fallback").hidden = false;
        at("text").focus();
        at("text").select();
      });
      at("copy").addEventListener("click", async () => {
        at("text").select();
        try { await navigator.clipboard.writeText(at("text").value); } catch { document.execCommand("copy"); }
        at("copied").textContent = words.copied;
      });
      handOver();
    });
    """
}
