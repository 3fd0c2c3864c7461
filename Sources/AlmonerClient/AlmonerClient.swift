import Glibc
package import LocalSocket
import Wire

/// A program's way to Almoner: asks the daemon of the person it runs as for access tokens, and hears what happens.
///
///     let client = try AlmonerClient.connect()
///     let token = try client.accessToken(minValid: .seconds(60))
///     token.withBytes { bytes in … }
///
/// Every call opens a connection of its own, so that calls from several threads never wait for each other and a daemon
/// that was restarted is simply found again. Calls block: an event loop makes them from a thread of its own.
///
/// No method returns a refresh token, and none ever opens a window: what is to be opened is returned.
public struct AlmonerClient: Sendable {
  /// How long the daemon has to take a connection and a message.
  static let patience = Duration.seconds(5)
  /// How long the daemon has for what it asks the issuer first.
  static let issuerPatience = Duration.seconds(60)

  private let path: SocketPath
  private let user: UInt32

  /// Finds the daemon's socket (`ALMONER_SOCKET`, `XDG_RUNTIME_DIR`) and makes sure that somebody of our uid listens.
  ///
  /// Throws ``AlmonerClientError/notRunning`` when there is no daemon. It starts none: that is for `almoner`, or for
  /// `systemctl --user start almoner.socket`.
  public static func connect() throws(AlmonerClientError) -> AlmonerClient {
    let user = geteuid()
    let path: SocketPath
    do {
      path = try SocketPath.find(user: user) { name in
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
      }
    } catch {
      throw AlmonerClientError(error)
    }
    return try connect(to: path, user: user)
  }

  /// The same, to a socket that is known.
  package static func connect(to path: SocketPath, user: UInt32) throws(AlmonerClientError) -> AlmonerClient {
    let client = AlmonerClient(path: path, user: user)
    _ = try client.open(by: Deadline(in: patience))
    return client
  }

  private init(path: SocketPath, user: UInt32) {
    self.path = path
    self.user = user
  }

  /// An access token that lives at least `minValid` more; the daemon refreshes first when it has to.
  ///
  /// `account` is the account's name, its id or its issuer's URL, and may be left out when there is one account.
  /// `timeout` (1 s to 120 s) is how long the daemon may take. A token may live less long than asked when the issuer
  /// grants no more: see ``AccessToken/isShorterThanAsked``. With `scopes` (RFC 6749 §6), of those granted at sign-in, or
  /// `resource` (RFC 8707) it reaches no further than these. `challenge` is what the resource demanded of the sign-in
  /// (RFC 9470): one that does not suffice is ``Refusal/Reason/stepUpRequired(_:)``, and ``Refusal/help`` the command by
  /// which the person signs in anew. Throws ``AlmonerClientError``.
  public func accessToken(
    account: String? = nil, minValid: Duration = .seconds(60), scopes: [String] = [], resource: String? = nil,
    meeting challenge: AuthenticationChallenge? = nil, timeout: Duration = .seconds(30)
  ) throws(AlmonerClientError) -> AccessToken {
    let seconds = Self.clamp(timeout, to: Wire.Limit.timeout)
    let parameters = Wire.GetAccessToken.Parameters(
      account: account, minValid: Self.clamp(minValid, to: Wire.Limit.minValid), timeout: seconds,
      scopes: scopes.isEmpty ? nil : scopes, resource: resource,
      acrValues: challenge.flatMap { $0.acrValues.isEmpty ? nil : $0.acrValues },
      maxAge: challenge?.maxAge.map { Self.clamp($0, to: Wire.Limit.maxAge) })
    let reply = try call(Wire.GetAccessToken.self, parameters, waiting: .seconds(seconds))
    return AccessToken(reply, narrowedTo: (parameters.scopes, resource))
  }

  /// The same for an account whose tokens are bound to a key, with a proof for one request to `url` by the HTTP `method`.
  ///
  /// `nonce` is the `DPoP-Nonce` of the resource's last answer, if it had one: a resource that wants one answers 401 with
  /// it, and the request is made once more. An account whose tokens are not bound is
  /// ``Refusal/Reason/badRequest(field:)``. Throws ``AlmonerClientError``.
  public func provenToken(
    for method: String, _ url: String, nonce: String? = nil, account: String? = nil,
    minValid: Duration = .seconds(60), scopes: [String] = [], resource: String? = nil,
    timeout: Duration = .seconds(30)
  ) throws(AlmonerClientError) -> ProvenToken {
    let seconds = Self.clamp(timeout, to: Wire.Limit.timeout)
    let parameters = Wire.GetDPoPProof.Parameters(
      account: account, method: method, url: url, nonce: nonce,
      minValid: Self.clamp(minValid, to: Wire.Limit.minValid), timeout: seconds,
      scopes: scopes.isEmpty ? nil : scopes, resource: resource)
    let reply = try call(Wire.GetDPoPProof.self, parameters, waiting: .seconds(seconds))
    return ProvenToken(reply, narrowedTo: (parameters.scopes, resource))
  }

  /// Says that a resource refused `token`. If it is still the present one the daemon refreshes, once; true when it does.
  @discardableResult
  public func reportRejected(_ token: AccessToken) throws(AlmonerClientError) -> Bool {
    let parameters = Wire.ReportRejected.Parameters(
      account: token.account, generation: token.generation, scopes: token.narrowedTo.scopes,
      resource: token.narrowedTo.resource)
    return try call(Wire.ReportRejected.self, parameters, waiting: .zero).refreshing
  }

  /// A credential for what an app tells of its device; at an issuer that has none, ``Refusal/Reason/badRequest(field:)``.
  ///
  /// The daemon hands out the one that it has until shortly before its end.
  public func monitoringToken(account: String? = nil) throws(AlmonerClientError) -> MonitoringToken {
    let parameters = Wire.GetMonitoringToken.Parameters(account: account)
    return MonitoringToken(try call(Wire.GetMonitoringToken.self, parameters, waiting: Self.issuerPatience))
  }

  /// Has the issuer ask for more proof before one sensitive action, and returns when it is known whether it wants any.
  ///
  /// `returnTo` is where the browser ends, exactly as it is registered with the issuer.
  public func stepUp(
    for action: StepUp.Action, account: String? = nil, returnTo: String? = nil
  ) throws(AlmonerClientError) -> StepUp {
    let deadline = Deadline(in: Self.issuerPatience + Self.patience)
    return try StepUp(
      try open(by: deadline), Wire.StepUp.Parameters(action, account: account, returnTo: returnTo), by: deadline)
  }

  /// Everything that happens to `account`, or to all of them, from now on.
  public func events(account: String? = nil) throws(AlmonerClientError) -> EventStream {
    let deadline = Deadline(in: Self.patience)
    return try EventStream(try open(by: deadline), account: account, by: deadline)
  }

  private func call<M: VarlinkMethod>(
    _ method: M.Type, _ parameters: M.Parameters, waiting: Duration
  ) throws(AlmonerClientError) -> M.Reply {
    let deadline = Deadline(in: waiting + Self.patience)
    var connection = try open(by: deadline)
    try connection.send(method, parameters, mode: .one, by: deadline)
    return try connection.receive(method, by: deadline)
  }

  private func open(by deadline: Deadline) throws(AlmonerClientError) -> ClientConnection {
    do {
      return ClientConnection(try LocalConnection(to: path, user: user, by: deadline))
    } catch {
      throw AlmonerClientError(error)
    }
  }

  /// Whole seconds, rounded up, in what the daemon takes.
  private static func clamp(_ duration: Duration, to range: ClosedRange<Int64>) -> Int64 {
    let parts = duration.components
    let seconds = parts.attoseconds > 0 && parts.seconds < .max ? parts.seconds + 1 : parts.seconds
    return min(max(seconds, range.lowerBound), range.upperBound)
  }
}
