package import Secrets

/// One HTTP request to an issuer, as a value: what a courier carries.
///
/// Nothing secret is in `url` or in a plain field; what is secret has a secret's type.
package struct OutgoingRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  package enum ContentType: String, Sendable {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"
  }

  package let method: Method
  /// An absolute `https` URL, or `http` to loopback where `egress` allows it. At most ``maximumURL`` bytes of ASCII.
  package let url: String
  /// The access token of `Authorization: Bearer` (RFC 6750 §2.1), or, beside a proof, of `Authorization: DPoP`
  /// (RFC 9449 §7.1), if the request needs one.
  package let bearer: SecretBox?
  /// The credentials of `Authorization: Basic` (RFC 7617 §2), in base64 already, if the request has no bearer and needs them.
  package let basic: SecretBox?
  /// The `DPoP` header field (RFC 9449 §4.1): a proof made for this request, good once.
  package let dpopProof: SecretBox?
  /// What kind of body `body` is; nil without a body.
  package let contentType: ContentType?
  package let body: SecretBox?
  package let egress: EgressPolicy

  package static let maximumURL = 2048

  package init(
    _ method: Method, _ url: String, bearer: SecretBox? = nil, basic: SecretBox? = nil, dpopProof: SecretBox? = nil,
    contentType: ContentType? = nil, body: SecretBox? = nil, egress: EgressPolicy
  ) {
    self.method = method
    self.url = url
    self.bearer = bearer
    self.basic = basic
    self.dpopProof = dpopProof
    self.contentType = contentType
    self.body = body
    self.egress = egress
  }

  /// The same request with a proof.
  package func with(dpopProof: SecretBox) -> Self {
    Self(
      method, url, bearer: bearer, basic: basic, dpopProof: dpopProof, contentType: contentType, body: body,
      egress: egress)
  }
}
