import CLinux
package import Secrets

/// The URL that the desktop started `almoner callback` with: `almoner:callback?` and the redirected URL behind it.
///
/// It holds a code, which is why it is off the command line before any of this runs, and never becomes a `String`.
package enum HandedURL: Sendable {
  /// None was given.
  case absent
  /// Longer than any redirected URL.
  case tooLong
  /// As it was given.
  case given(SecretBox)

  /// The one that this process was started with. It is there once.
  package static func ofThisProcess() -> HandedURL {
    let length = clinux_argument_length()
    guard length > 0 else { return .absent }
    guard length <= Int(CLINUX_ARGUMENT_ROOM) else { return .tooLong }
    do {
      let bytes = unsafe try SecretBytes(capacity: length) { room in
        unsafe clinux_take_argument(room.baseAddress, length)
        return length
      }
      return .given(SecretBox(bytes))
    } catch {
      return .tooLong
    }
  }

  /// What stands in front of the redirected URL.
  private static let start = Array("almoner:callback?".utf8)

  /// The redirected URL. Throws ``ExitStatus/usage`` for what the relay page cannot have sent; the rest is the daemon's
  /// to judge. The message repeats nothing of it.
  func redirectedURL(atMost limit: Int) throws(Failure) -> SecretBox {
    guard case .given(let url) = self else {
      if case .absent = self { throw Self.refused("no URL is given") }
      throw Self.refused("the URL is too long")
    }
    guard url.count <= Self.start.count + limit else { throw Self.refused("the URL is too long") }
    guard Self.isRelayed(url) else { throw Self.refused("that is not what a relay page hands over") }
    do {
      return try unsafe url.withUnsafeBytes { bytes throws(SecretMemoryExhausted) in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[Self.start.count...])
        return SecretBox(unsafe try SecretBytes(copying: RawSpan(_unsafeBytes: rest)))
      }
    } catch {
      throw Failure(.temporary, code: "memory", "no memory is left for secrets", isTemporary: true)
    }
  }

  /// Printable ASCII that starts right. Browsers write a scheme in lower case.
  private static func isRelayed(_ url: SecretBox) -> Bool {
    unsafe url.withUnsafeBytes { bytes in
      unsafe bytes.count > start.count && bytes.starts(with: start) && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
  }

  private static func refused(_ what: String) -> Failure { Failure(.usage, code: "bad-request", what) }
}
