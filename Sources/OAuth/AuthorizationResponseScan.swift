import Secrets

/// The parameters of a query that an authorization response may have, each at most once.
struct AuthorizationResponseScan {
  enum Name: String {
    case code
    case state
    case iss
    case error
  }

  private var values: [Name: SecretBox] = [:]

  subscript(name: Name) -> SecretBox? { values[name] }

  init(_ query: SecretBox) throws(AuthorizationResponseError) {
    var failure: AuthorizationResponseError?
    unsafe query.withUnsafeBytes { bytes in
      let pairs = unsafe bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
      guard unsafe pairs.count <= AuthorizationResponse.maximumParameters else {
        failure = .tooManyParameters
        return
      }
      do throws(AuthorizationResponseError) {
        for index in unsafe pairs.indices { unsafe try take(UnsafeRawBufferPointer(rebasing: pairs[index])) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func take(_ pair: UnsafeRawBufferPointer) throws(AuthorizationResponseError) {
    let equals = unsafe pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.count
    let raw = unsafe UnsafeRawBufferPointer(rebasing: pair[..<equals])
    guard let name = unsafe try Self.name(raw) else { return }
    guard equals + 1 < pair.count else { return }
    let value = unsafe try Self.value(UnsafeRawBufferPointer(rebasing: pair[(equals + 1)...]))
    guard values.updateValue(value, forKey: name) == nil else { throw .repeated(name.rawValue) }
  }

  /// The name, or nil for one that is not ours. Only a text as short as ours ever becomes a `String`.
  private static func name(_ raw: UnsafeRawBufferPointer) throws(AuthorizationResponseError) -> Name? {
    var decoded = WipedBuffer()
    guard unsafe FormEncoding.decode(raw, into: &decoded) else { throw .encoding }
    guard decoded.count <= 8 else { return nil }
    return unsafe decoded.withUnsafeBytes { unsafe Name(rawValue: String(decoding: $0, as: UTF8.self)) }
  }

  /// A value of printable ASCII (RFC 6749 appendices A.5, A.7, A.11).
  private static func value(_ raw: UnsafeRawBufferPointer) throws(AuthorizationResponseError) -> SecretBox {
    var decoded = WipedBuffer()
    guard unsafe FormEncoding.decode(raw, into: &decoded) else { throw .encoding }
    let isPrintable = unsafe decoded.withUnsafeBytes { unsafe $0.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
    guard isPrintable else { throw .character }
    do throws(SecretMemoryExhausted) { return SecretBox(try decoded.takeSecret()) } catch { throw .memory }
  }
}
