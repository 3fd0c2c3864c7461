import Secrets

/// An authorization request (RFC 6749 §4.1.1 with RFC 7636 §4.3): the URL that the external user-agent opens.
package struct AuthorizationRequest: Sendable {
  /// The most bytes of the whole URL.
  package static let maximumCount = 4096

  private let endpoint: WebURL
  private let parameters: [Parameter]

  /// `parameters` in the order they are to appear. The endpoint's own query stays in front of them (RFC 6749 §3.1).
  package init(endpoint: WebURL, parameters: [Parameter]) {
    self.endpoint = endpoint
    self.parameters = parameters
  }

  /// The URL, or nil when it is longer than ``maximumCount``.
  ///
  /// It holds `state`, and `nonce` where there is one, as text: the standard dictates it, and the browser shows it.
  package var url: String? {
    var buffer = WipedBuffer()
    buffer.append(endpoint.text)
    switch endpoint.query {
    case nil: buffer.append(UInt8(ascii: "?"))
    case ""?: break
    case _?: buffer.append(UInt8(ascii: "&"))
    }
    parameters.appendForm(to: &buffer)
    guard buffer.count <= Self.maximumCount else { return nil }
    return unsafe buffer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
