import Exchange
import OAuth

/// What a caller wants to send to a resource, as far as a proof names it (RFC 9449 §4.2).
package struct DPoPTarget: Equatable, Sendable {
  /// The most characters of an HTTP method.
  package static let maximumMethod = 32

  /// `htm`
  package let method: String
  /// `htu`, query included; the proof leaves it out.
  package let url: String
  /// `nonce`, if the resource wants one.
  package let nonce: String?

  /// Throws ``VaultError/badRequest(field:message:)`` for what cannot stand in a proof.
  package init(method: String, url: String, nonce: String?) throws(VaultError) {
    guard (1...Self.maximumMethod).contains(method.utf8.count),
      method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-") })
    else { throw .badRequest(field: "method", message: "an HTTP method is a word in capitals, such as GET") }
    guard let known = EndpointPolicy(plainLoopback: true).endpoint(url), known.text.utf8.count <= Self.maximumURL
    else { throw .badRequest(field: "url", message: "an https URL is needed, without a fragment") }
    if let nonce, !DPoPNonce.isSound(nonce) {
      throw .badRequest(field: "nonce", message: "that is no nonce of a DPoP-Nonce field")
    }
    self.method = method
    self.url = url
    self.nonce = nonce
  }

  private static let maximumURL = OutgoingRequest.maximumURL
}
