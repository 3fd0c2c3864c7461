import HTTPServer

/// `/second-factor`: where a person proves that the button was theirs to press. Only with `--second-factor`.
enum SecondFactorRoute: Route {
  static let path = "/second-factor"
  static let methods = ["GET", "POST"]

  /// Leads whoever pressed their button to the page.
  static func ask(_ person: Person, _ name: String, _ issuer: Issuer) -> HTTPResponse {
    guard issuer.with({ $0.ask(person, in: name, now: .now) }) else { return MessagePage.over }
    let page = path + "?transaction=" + FormFields.escape(name)
    return HTTPResponse(303, headers: HTMLPage.guarding + [.init("Location", page)])
  }

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse {
    let isTry = request.method == "POST"
    guard let fields = FormFields(isTry ? request.body : request.query), let name = fields["transaction"] else {
      return MessagePage.malformed
    }
    return isTry ? try look(fields, name, issuer) : show(200, name, nil, issuer)
  }

  private static func look(_ fields: FormFields, _ name: String, _ issuer: Issuer) throws -> HTTPResponse {
    guard issuer.with({ $0.asked(name, now: .now) }) != nil else { return MessagePage.over }
    let outcome: ProofOutcome
    switch fields["by"] {
    case "code":
      // As it is shown in groups of three, people type it with a blank.
      let code = (fields["code"] ?? "").filter { $0 != " " }
      outcome = try issuer.with { try $0.prove(code: code, in: name, now: .now) }
    case "passkey": outcome = issuer.with { $0.prove(passkey: fields, in: name, now: .now) }
    case "cancel":
      return issuer.with { $0.take(name, now: Moment.now.boot) }.map(SignInRoute.cancel) ?? MessagePage.over
    case _: return MessagePage.malformed
    }
    switch outcome {
    case .proved(let methods): return finish(name, methods, issuer)
    case .wrong: return show(403, name, "That did not prove it. Nobody was signed in; try again.", issuer)
    case .tooMany(let wait):
      var response = show(429, name, "Too many codes were wrong. Try again in \(wait) seconds.", issuer)
      response.headers.append(.init("Retry-After", String(wait)))
      return response
    }
  }

  private static func finish(_ name: String, _ methods: [String], _ issuer: Issuer) -> HTTPResponse {
    guard let transaction = issuer.with({ $0.take(name, now: Moment.now.boot) }), let proving = transaction.proving
    else { return MessagePage.over }
    return SignInRoute.approve(transaction, proving.person, methods, issuer)
  }

  private static func show(_ status: Int, _ name: String, _ told: String?, _ issuer: Issuer) -> HTTPResponse {
    guard let (transaction, proving, factor) = issuer.with({ $0.asked(name, now: .now) }) else {
      return MessagePage.over
    }
    let page = SecondFactorPage(name: name, transaction: transaction, proving: proving, factor: factor)
    return page.response(status, told: told)
  }
}
