import HTTPServer
import Sodium

/// The page on which a person proves who they are, or sets up what to prove it with.
struct SecondFactorPage {
  /// The visit, our own random text.
  let name: String
  let transaction: Transaction
  let proving: Proving
  let factor: SecondFactor

  /// `told`: how the last try went, our own words.
  func response(_ status: Int, told: String?) -> HTTPResponse {
    let main = """
      <span class="badge">Sandbox</span>
      <h1>\(factor.isSetUp ? "Is it you, \(proving.person.name)?" : "Set up a second factor, \(proving.person.name)")</h1>
      \(told.map { "<p class=\"wrong\" role=\"alert\">\($0)</p>" } ?? "")
      <p id="failed" class="wrong" role="alert" hidden>No passkey was used. Try again.</p>
      \(factor.code == nil && factor.isSetUp ? "" : codeForm)
      \(factor.passkey == nil && factor.isSetUp ? "" : passkeyForm)
      <form method="post" action="\(SecondFactorRoute.path)">
      \(hidden("cancel"))
      <button class="cancel">Cancel and go back</button>
      </form>
      """
    let title = factor.isSetUp ? "Prove that it is you" : "Set up a second factor"
    return HTMLPage.response(
      status, title: title, main: main, formTarget: transaction.redirect.origin, script: Self.script)
  }

  private func hidden(_ by: String) -> String {
    """
    <input type="hidden" name="transaction" value="\(name)">
    <input type="hidden" name="by" value="\(by)">
    """
  }

  private var codeForm: String {
    """
    <form id="code" method="post" action="\(SecondFactorRoute.path)" autocomplete="off">
    \(hidden("code"))
    \(factor.isSetUp ? "" : setUp)
    <label>Code of your authenticator
    <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="7" required></label>
    <button class="wide">Continue</button>
    </form>
    """
  }

  private var setUp: String {
    """
    <p>Give this to your authenticator: <code id="secret">\(proving.newCode.text)</code>
    (<a href="\(HTMLPage.escape(proving.newCode.address(of: proving.person.handle)))">open it there</a>).</p>
    """
  }

  private var passkeyForm: String {
    let person = proving.person
    let fields = ["credential", "client_data", "authenticator_data", "signature"]
      .map { "<input type=\"hidden\" name=\"\($0)\">" }.joined()
    return """
      <form id="passkey" method="post" action="\(SecondFactorRoute.path)" data-party="\(Passkey.Ceremony.relyingParty)"
      data-challenge="\(proving.challenge)" data-user="\(Base64URL.encode(Array(person.handle.utf8)))"
      data-handle="\(person.handle)" data-person="\(person.name)"
      data-credential="\(factor.passkey.map { Base64URL.encode($0.credential) } ?? "")">
      \(hidden("passkey"))\(fields)
      <button class="wide">\(factor.passkey == nil ? "Set up a passkey" : "Use your passkey")</button>
      </form>
      """
  }

  /// Asks the browser for a passkey and sends what it brings as an ordinary form.
  private static let script = """
    "use strict";
    const form = document.getElementById("passkey");
    const bytes = text => Uint8Array.from(
      atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
    const text = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
    const set = (name, bytes) => { form.elements[name].value = text(bytes); };
    async function create(data) {
      const made = await navigator.credentials.create({ publicKey: {
        challenge: bytes(data.challenge), rp: { id: data.party, name: "Almoner sandbox" },
        user: { id: bytes(data.user), name: data.handle, displayName: data.person },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }], attestation: "none",
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" } } });
      set("authenticator_data", made.response.getAuthenticatorData());
      return made;
    }
    async function use(data) {
      const made = await navigator.credentials.get({ publicKey: {
        challenge: bytes(data.challenge), rpId: data.party, userVerification: "preferred",
        allowCredentials: [{ type: "public-key", id: bytes(data.credential) }] } });
      set("authenticator_data", made.response.authenticatorData);
      set("signature", made.response.signature);
      return made;
    }
    form?.addEventListener("submit", async event => {
      event.preventDefault();
      try {
        const made = await (form.dataset.credential ? use : create)(form.dataset);
        set("credential", made.rawId);
        set("client_data", made.response.clientDataJSON);
        form.submit();
      } catch {
        document.getElementById("failed").hidden = false;
      }
    });
    """
}
