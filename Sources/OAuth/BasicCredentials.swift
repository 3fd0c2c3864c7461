package import Secrets
import Sodium

/// A client's credentials for `Authorization: Basic` (RFC 6749 §2.3.1): name and secret each form-encoded, joined by a
/// colon, in base64.
package struct BasicCredentials: Sendable {
  package let text: SecretBox

  package init(clientID: String, secret: SecretBox) throws(SecretMemoryExhausted) {
    var buffer = WipedBuffer()
    unsafe FormEncoding.append(Array<UInt8>(clientID.utf8).span.bytes, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    Self.append(secret.secret, to: &buffer)
    text = SecretBox(try Base64.encode(try buffer.takeSecret()))
  }

  private static func append(_ secret: borrowing SecretBytes, to buffer: inout WipedBuffer) {
    FormEncoding.append(secret.bytes, to: &buffer)
  }
}
