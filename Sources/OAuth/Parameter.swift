package import Secrets

/// One parameter of a request: a name and a value that is either plain or a secret.
package struct Parameter: Sendable {
  package enum Value: Sendable {
    case plain(String)
    case secret(SecretBox)
  }

  package let name: String
  package let value: Value

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = .plain(value)
  }

  package init(_ name: String, secret: SecretBox) {
    self.name = name
    value = .secret(secret)
  }
}

extension [Parameter] {
  /// Appends all of them, escaped and joined by `&`.
  func appendForm(to buffer: inout WipedBuffer) {
    for (index, parameter) in enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: "&")) }
      buffer.append(parameter.name)
      buffer.append(UInt8(ascii: "="))
      switch parameter.value {
      case .plain(let text): unsafe FormEncoding.append(Array<UInt8>(text.utf8).span.bytes, to: &buffer)
      case .secret(let box): Self.append(box.secret, to: &buffer)
      }
    }
  }

  private static func append(_ secret: borrowing SecretBytes, to buffer: inout WipedBuffer) {
    FormEncoding.append(secret.bytes, to: &buffer)
  }
}
