/// The varlink description of `org.almoner.Almoner`, as `org.varlink.service.GetInterfaceDescription` serves it.
package enum InterfaceDescription {
  package static let name = "org.almoner.Almoner"

  package static let text = """
    # Short-lived access tokens for the person who runs this daemon. No method returns a refresh token.
    interface org.almoner.Almoner

    # state: signed-in, refreshing, sign-in-required, locked, unavailable, signing-out, damaged
    type Account (
      id: string,
      name: string,
      issuer: string,
      kind: string,
      environment: string,
      store: string,
      state: string,
      # why, in words, when the state is not signed-in
      detail: ?string,
      # seconds of life the present access token has left; absent when none is in memory
      expiresIn: ?int,
      generation: ?int,
      # false when the issuer granted no refresh token
      renews: bool
    )

    type Claim (name: string, value: string)

    # account: the account's name, its id, or its issuer's URL; may be left out when there is one account.
    # minValid: seconds of life asked for. force: refresh even when not due. timeout: seconds, 1..120.
    # scopes, resource: a token for these alone, beside the account's own (RFC 6749 section 6, RFC 8707).
    # acrValues, maxAge (seconds): what a resource demanded of the sign-in (RFC 9470); the answer may be StepUpRequired.
    # shorter: the token lives less long than asked. refreshed: this call, or one it joined, caused a refresh.
    # hindrance: why force brought no refresh, when it is not that the last one is too recent.
    method GetAccessToken(
      account: ?string, minValid: ?int, force: ?bool, timeout: ?int, scopes: ?[]string, resource: ?string,
      acrValues: ?[]string, maxAge: ?int
    ) -> (
      accessToken: string,
      tokenType: string,
      account: string,
      issuer: string,
      expiresIn: int,
      scope: ?string,
      generation: int,
      shorter: bool,
      refreshed: bool,
      hindrance: ?string
    )

    # Replaces the tokens now; at most once per account in force-interval.
    method Refresh(account: ?string, timeout: ?int) -> (
      account: string, generation: int, expiresIn: int, refreshed: bool
    )

    # A caller's token of this generation was refused: at most one refresh per generation follows.
    method ReportRejected(
      account: ?string, generation: int, scopes: ?[]string, resource: ?string
    ) -> (refreshing: bool)

    # Who is signed in, from the verified ID token.
    # subject is empty where the issuer does not say who signed in.
    method GetIdentity(account: ?string) -> (account: string, issuer: string, subject: string, claims: []Claim)

    # A token that is bound to a key, and a proof for one request with it (RFC 9449). nonce: what the resource's last answer
    # had as DPoP-Nonce. scopes, resource: as in GetAccessToken.
    method GetDPoPProof(
      account: ?string, method: string, url: string, nonce: ?string, minValid: ?int, timeout: ?int, scopes: ?[]string,
      resource: ?string
    ) -> (
      accessToken: string,
      tokenType: string,
      account: string,
      issuer: string,
      expiresIn: int,
      scope: ?string,
      generation: int,
      shorter: bool,
      refreshed: bool,
      hindrance: ?string,
      proof: string
    )

    # A credential of some minutes for what an app tells of its device, at an issuer that has such.
    method GetMonitoringToken(account: ?string) -> (
      monitoringToken: string, account: string, issuer: string, expiresIn: int
    )

    # Asks the issuer, within its budget. checkedAgo: seconds since it was really asked.
    method CheckSession(account: ?string) -> (
      account: string, active: bool, checkedAgo: int, claims: []Claim
    )

    # listed: the site lists the client. clientId: absent when it is not known; then it is not compared.
    type AssociatedClient (name: string, issuer: string, clientId: ?string, callback: string, listed: bool)

    # Asks a callback's owner, by its association file, whether it lists us. domain: a host that one of our clients comes
    # back to; absent: the account's. state: published, absent, unreachable. checkedAgo: seconds since the site said so.
    # detail: why it could not be asked anew.
    method CheckAssociation(domain: ?string, account: ?string) -> (
      domain: string,
      state: string,
      checkedAgo: int,
      detail: ?string,
      clients: []AssociatedClient
    )

    # Registers a client at an issuer (RFC 7591). Nothing of it is kept here.
    # issuer: a configured issuer's name, or an issuer's URL. kind: openid, oauth.
    # clientSecretFile: where the caller will keep the client's secret; absent: the client is to have none.
    # management: the answer is to hold what RFC 7592 changes the client with. initialAccessToken: RFC 7591 section 3.
    # name, configuration: the NAME and the text of [issuer NAME]. notes: what came otherwise than it was asked.
    # secretExpiresIn: seconds; absent when the secret stays good.
    method RegisterClient(
      issuer: string,
      kind: ?string,
      redirectUri: ?string,
      clientName: ?string,
      scopes: ?[]string,
      clientSecretFile: ?string,
      management: ?bool,
      initialAccessToken: ?string
    ) -> (
      issuer: string,
      name: string,
      clientId: string,
      redirectUri: string,
      scopes: []string,
      configuration: string,
      notes: []string,
      clientSecret: ?string,
      secretExpiresIn: ?int,
      registrationClientUri: ?string,
      registrationAccessToken: ?string
    )

    type Registration (
      issuer: ?string,
      kind: ?string,
      publishableKey: ?string,
      clientId: ?string,
      redirectUri: ?string,
      scopes: ?[]string,
      store: ?string
    )

    # Streams (more): stage "attempt" with attempt, url and flow, then "signed-in" with account, issuer, subject, claims, isNew.
    # registration: only from the terminal form, which has asked.
    # flow: loopback, relay, device, paste; absent: what fits redirect, issuer and browser.
    # browser: here, elsewhere; absent: the caller cannot tell.
    # acrValues, maxAge: what the sign-in is to prove (RFC 9470). scopes: beside those that the account has.
    # userCode, verificationUri, expiresIn in seconds: of a device authorization grant, for the person.
    method SignIn(
      account: ?string,
      registration: ?Registration,
      flow: ?string,
      browser: ?string,
      locales: ?[]string,
      acrValues: ?[]string,
      maxAge: ?int,
      scopes: ?[]string
    ) -> (
      stage: string,
      attempt: ?string,
      url: ?string,
      flow: ?string,
      userCode: ?string,
      verificationUri: ?string,
      expiresIn: ?int,
      account: ?string,
      issuer: ?string,
      subject: ?string,
      claims: ?[]Claim,
      isNew: ?bool
    )

    # Hands in the URL that the browser was redirected to. attempt: absent: the one whose state the URL has.
    method CompleteSignIn(attempt: ?string, redirectedUrl: string) -> ()

    # Proves more before one sensitive action, at an issuer that has a step-up of its own. Streams (more): stage "verify"
    # with url, the page for the caller's browser, then "approved"; or "not-required" at once.
    # action: payout, bank, contact. amount: for payout, as in 12.50. currency: ISO 4217.
    # returnTo: where the browser ends, as registered.
    method StepUp(account: ?string, action: string, amount: ?string, currency: ?string, returnTo: ?string) -> (
      stage: string,
      account: string,
      url: ?string
    )

    method SignOut(account: ?string, all: ?bool) -> (accounts: []SignedOut)

    # revoked: the issuer ended the session. wiped: looked again, nothing found.
    # locked: what is not wiped waits until its store is unlocked; otherwise it is tried again by itself.
    type SignedOut (account: string, issuer: string, revoked: bool, wiped: bool, locked: ?bool, note: ?string)

    method List() -> (accounts: []Account)

    # What an open store keeps and no account has. Whoever wrote it chose account and label.
    type Stray (store: string, account: string, label: string)

    # strays: looks into the stores too, which may take seconds. No secret is read.
    method Status(strays: ?bool) -> (
      version: string,
      pid: int,
      locked: bool,
      memoryLocked: bool,
      confined: bool,
      accounts: []Account,
      notes: []string,
      strays: ?[]Stray
    )

    # Streams events: signed-in, refreshed, sign-in-required, signed-out, locked, unlocked, storage-trouble,
    # callback-rejected.
    # The first reply is "watching".
    method Monitor(account: ?string) -> (event: string, account: ?string, generation: ?int, detail: ?string)

    method Lock() -> ()

    # passphrase: for sealed files; the keyring asks by itself.
    method Unlock(account: ?string, passphrase: ?string) -> ()

    error SignInRequired(account: string, reason: string, message: string, help: string)
    error Locked(account: ?string, message: string, help: string)
    # retryAfter: seconds
    error Temporary(account: ?string, message: string, retryAfter: int, help: string)
    error UnknownAccount(account: ?string, message: string, help: string)
    # What the sign-in has to prove, as it was asked.
    error StepUpRequired(account: string, acrValues: ?[]string, maxAge: ?int, message: string, help: string)
    error Denied(account: ?string, message: string, help: string)
    # field: the parameter that is wrong; empty when the account has no such thing
    error BadRequest(field: string, message: string, help: string)
    error Busy(message: string, retryAfter: int, help: string)
    error Storage(account: ?string, message: string, help: string)
    # The configuration or the registration cannot work.
    error Misconfigured(account: ?string, message: string, help: string)
    # A sign-in ended without an account: cancelled, timeout, port-busy, wrong-person, refused, expired.
    error SignInFailed(reason: string, message: string, help: string)
    # A step-up ended without an approval: declined, expired, cancelled, session-ended.
    error StepUpFailed(account: string, reason: string, message: string, help: string)
    # The issuer has not enabled device monitoring for the application.
    error MonitoringUnavailable(account: string, message: string, help: string)

    """
}
