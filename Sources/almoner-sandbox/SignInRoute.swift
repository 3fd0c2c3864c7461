import HTTPServer

/// `/sign-in`: the authorization endpoint (RFC 6749 §3.1) and its page.
enum SignInRoute: Route {
  static let path = "/sign-in"
  static let methods = ["GET", "POST"]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    request.method == "POST" ? choose(request, issuer) : begin(request, issuer)
  }

  /// A browser arrives. Without a redirect that is registered, character by character, nobody is ever redirected.
  private static func begin(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    guard let fields = FormFields(request.query) else { return MessagePage.malformed }
    let redirects = issuer.with { $0.redirects }
    guard let redirect = redirects.first(where: { $0.text == fields["redirect_uri"] }) else {
      return MessagePage.unregistered
    }
    guard let state = fields["state"], !state.isEmpty, state.utf8.count <= 1024 else {
      return back(redirect, [("error", "invalid_request"), ("error_description", "state is missing")])
    }
    guard fields["code_challenge_method"] == "S256", let challenge = fields["code_challenge"], isDigest(challenge)
    else {
      return back(redirect, [("error", "invalid_request"), ("error_description", "S256 is needed"), ("state", state)])
    }
    let now = Moment.now.boot
    let transaction = Transaction(redirect: redirect, state: state, codeChallenge: challenge, started: now)
    if let person = issuer.auto { return approve(transaction, person, person.authenticationMethods, issuer) }
    let name = issuer.with { $0.begin(transaction) }
    return SignInPage.response(transaction: name, redirect: redirect, locales: fields["ui_locales"])
  }

  /// A person pressed one of the page's buttons.
  private static func choose(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    guard let fields = FormFields(request.body), let name = fields["transaction"], let choice = fields["as"] else {
      return MessagePage.malformed
    }
    let person = Person.choosable(choice)
    if let person, issuer.with({ $0.asksSecondFactor }) { return SecondFactorRoute.ask(person, name, issuer) }
    guard let transaction = issuer.with({ $0.take(name, now: Moment.now.boot) }) else { return MessagePage.over }
    if let person { return approve(transaction, person, person.authenticationMethods, issuer) }
    return cancel(transaction)
  }

  static func approve(
    _ transaction: Transaction, _ person: Person, _ methods: [String], _ issuer: Issuer
  ) -> HTTPResponse {
    let code = issuer.with { $0.approve(transaction, person, methods: methods, now: Moment.now.boot) }
    return back(transaction.redirect, [("code", code), ("state", transaction.state)])
  }

  static func cancel(_ transaction: Transaction) -> HTTPResponse {
    back(transaction.redirect, [("error", "access_denied"), ("state", transaction.state)])
  }

  private static func back(_ redirect: RegisteredRedirect, _ parameters: [(String, String)]) -> HTTPResponse {
    let headers = HTMLPage.guarding + [.init("Location", redirect.adding(parameters))]
    return HTTPResponse(303, headers: headers)
  }

  /// 32 bytes in base64url (RFC 7636 §4.2).
  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 43 && text.utf8.allSatisfy { FormFields.escape(String(UnicodeScalar($0))).utf8.count == 1 }
  }
}
