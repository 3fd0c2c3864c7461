import HTTPServer

/// `/verification`: the page where a person proves more, or says no. Stands in for the vendor's own, which is elsewhere.
enum VerificationRoute: Route {
  static let path = "/verification"
  static let methods = ["GET", "POST"]

  private static let choices: [(status: StepUp.Status, words: String)] = [
    (.approved, "Prove it"), (.declined, "Fail the proof"), (.cancelled, "Cancel"),
  ]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    let now = Moment.now.boot
    guard let fields = FormFields(request.method == "POST" ? request.body : request.query), let id = fields["step_up"],
      let stepUp = issuer.with({ $0.stepUps[id] })
    else { return MessagePage.malformed }
    guard stepUp.status(now: now) == .pending else { return MessagePage.over }
    if request.method == "GET", issuer.auto == nil { return page(stepUp) }
    let word = request.method == "GET" ? StepUp.Status.approved.rawValue : fields["choice"]
    guard let status = choices.first(where: { $0.status.rawValue == word })?.status else {
      return MessagePage.malformed
    }
    guard issuer.with({ $0.stepUps.decide(id, status, now: now) }) else { return MessagePage.over }
    guard let redirect = stepUp.returnTo else { return MessagePage.answered }
    let location = redirect.adding([("step_up", id), ("status", status.rawValue)])
    return HTTPResponse(303, headers: HTMLPage.guarding + [.init("Location", location)])
  }

  private static func page(_ stepUp: StepUp) -> HTTPResponse {
    let buttons = choices.map { choice in
      "<button class=\"person\" name=\"choice\" value=\"\(choice.status.rawValue)\"><b>\(choice.words)</b></button>"
    }
    let main = """
      <span class="badge">Sandbox</span>
      <h1>Prove who you are</h1>
      <p>You are about to do this: <strong>\(stepUp.action)</strong>.</p>
      <form method="post" action="\(path)" autocomplete="off">
      <input type="hidden" name="step_up" value="\(stepUp.id)">
      \(buttons.joined(separator: "\n"))
      </form>
      """
    return HTMLPage.response(
      200, title: "Prove who you are", main: main, formTarget: stepUp.returnTo?.origin ?? "")
  }
}
