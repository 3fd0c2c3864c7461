import Exchange
package import JSON
package import Secrets

/// A client as an issuer says that it registered it (RFC 7591 §3.2.1).
///
/// The answer is read strictly: a member of another type than the standard gives it makes the whole answer worthless, for
/// nobody can tell what an issuer means by it. A member that is absent, or `null`, is taken as it was asked for.
package struct RegisteredClient: Equatable, Sendable {
  /// How the client is looked at and changed later (RFC 7592 §3).
  package struct Management: Equatable, Sendable {
    /// `registration_client_uri`
    package let uri: String
    /// `registration_access_token`
    package let token: SecretBox

    package static func == (left: Self, right: Self) -> Bool {
      left.uri == right.uri && left.token.isEqual(to: right.token)
    }
  }

  /// The most characters of a `client_id`, which is also what the configuration takes.
  package static let maximumID = 256
  /// The most characters of a `client_secret`, which is also what is read back from its file.
  package static let maximumSecret = 1024
  /// The most characters of a `registration_access_token`.
  package static let maximumToken = 4096
  /// The most entries of a list.
  static let maximumList = 64

  private static let limits = JSONLimits(
    bytes: HTTPAnswer.maximumBody, depth: 8, stringBytes: 16 << 10, members: 128, elements: maximumList)
  private static let secrets: Set<String> = ["client_secret", "registration_access_token"]

  /// `client_id`: printable ASCII without spaces.
  package let id: String
  /// `client_secret`; nil for a client without one.
  package let secret: SecretBox?
  /// `client_secret_expires_at`: seconds of the issuer's wall clock; nil when the secret stays good.
  package let secretExpiry: Int64?
  package let management: Management?
  /// `token_endpoint_auth_method`
  package let authentication: String?
  package let redirectURIs: [String]?
  package let grantTypes: [String]?
  let responseTypes: [String]?
  let applicationType: String?
  let name: String?
  /// `scope`
  package let scopes: [String]?

  /// Reads a body. Throws ``ClientRegistrationError``.
  package init(reading body: SecretBox) throws(ClientRegistrationError) {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONReader.parseObject(body, limits: Self.limits, secretMembers: Self.secrets)
    } catch {
      throw .malformed(error)
    }
    do throws(JSONMemberError) { try self.init(object) } catch { throw .member(error) }
    guard (1...Self.maximumID).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .unusable("client_id")
    }
    if let secret, !secret.isPrintable(from: 0x20, atMost: Self.maximumSecret) { throw .unusable("client_secret") }
    if let token = management?.token, !token.isPrintable(from: 0x21, atMost: Self.maximumToken) {
      throw .unusable("registration_access_token")
    }
    if let uri = management?.uri, uri.utf8.count > WebURL.maximumCount { throw .unusable("registration_client_uri") }
  }

  private init(_ object: JSONObject) throws(JSONMemberError) {
    id = try object.string("client_id")
    // Some issuers give a public client a secret of no characters.
    secret = try object.secret(ifPresent: "client_secret").flatMap { $0.count > 0 ? $0 : nil }
    secretExpiry = try object.int(ifPresent: "client_secret_expires_at").flatMap { $0 != 0 ? $0 : nil }
    management = try Self.management(object)
    authentication = try object.string(ifPresent: "token_endpoint_auth_method")
    redirectURIs = try object.strings(ifPresent: "redirect_uris")
    grantTypes = try object.strings(ifPresent: "grant_types")
    responseTypes = try object.strings(ifPresent: "response_types")
    applicationType = try object.string(ifPresent: "application_type")
    name = try object.string(ifPresent: "client_name")
    scopes = try object.string(ifPresent: "scope").map { $0.split(separator: " ").map(String.init) }
  }

  /// Neither is of use without the other.
  private static func management(_ object: JSONObject) throws(JSONMemberError) -> Management? {
    let uri = try object.string(ifPresent: "registration_client_uri")
    guard let token = try object.secret(ifPresent: "registration_access_token"), let uri else { return nil }
    return Management(uri: uri, token: token)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && same(left.secret, right.secret) && left.secretExpiry == right.secretExpiry
      && left.management == right.management && left.authentication == right.authentication
      && left.redirectURIs == right.redirectURIs && left.grantTypes == right.grantTypes
      && left.responseTypes == right.responseTypes && left.applicationType == right.applicationType
      && left.name == right.name && left.scopes == right.scopes
  }

  private static func same(_ left: SecretBox?, _ right: SecretBox?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isEqual(to: right)
    case (nil, _?), (_?, nil): false
    }
  }
}

extension SecretBox {
  /// RFC 6749 appendix A.2: a client's secret may have spaces (0x20) in it, a bearer token none.
  fileprivate func isPrintable(from first: UInt8, atMost limit: Int) -> Bool {
    guard (1...limit).contains(count) else { return false }
    return unsafe withUnsafeBytes { unsafe $0.allSatisfy { (first...0x7e).contains($0) } }
  }
}

/// Why an answer says nothing of a client. It names members, never their values.
package enum ClientRegistrationError: Error, Equatable, Sendable {
  case malformed(JSONError)
  case member(JSONMemberError)
  /// Too long, or of characters that it must not have.
  case unusable(String)
}

extension ClientRegistrationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "it is malformed: \(error)"
    case .member(let error): error.description
    case .unusable(let name): "its \(name) is too long, or of characters that cannot be used"
    }
  }
}
