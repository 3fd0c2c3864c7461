package import Secrets

extension AuthorizationResponse {
  /// The most bytes of a paste, white space around it included.
  package static let maximumPaste = 10 << 10

  /// Reads the URL that the browser was redirected to, as a person pasted it: white space around it is ignored, and so is
  /// a fragment behind it, which some browsers add.
  ///
  /// Throws ``AuthorizationResponseError/otherDestination`` unless it leads to `redirect`, and what
  /// ``init(query:maximumCode:)`` throws. Nothing of the paste becomes a `String` but what stands before the query.
  package init(
    pasted: SecretBox, redirect: RedirectURI, maximumCode: Int = maximumCode
  ) throws(AuthorizationResponseError) {
    let (url, query) = try Self.split(pasted)
    guard url.hasSameDestination(as: redirect.url) else { throw .otherDestination }
    try self.init(query: query, maximumCode: maximumCode)
  }

  /// The URL that stands before the question mark, and the query.
  static func split(_ pasted: SecretBox) throws(AuthorizationResponseError) -> (WebURL, SecretBox) {
    guard pasted.count <= Self.maximumPaste else { throw .tooLong }
    var start: String?
    var query: SecretBox?
    var isMemoryFull = false
    unsafe pasted.withUnsafeBytes { bytes in
      let text = unsafe trimmed(bytes)
      guard let mark = unsafe text.firstIndex(of: UInt8(ascii: "?")) else { return }
      unsafe start = String(decoding: text[..<mark], as: UTF8.self)
      let end = unsafe text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
      guard mark < end else { return }
      do throws(SecretMemoryExhausted) {
        let part = unsafe UnsafeRawBufferPointer(rebasing: text[(mark + 1)..<end])
        query = SecretBox(unsafe try SecretBytes(copying: RawSpan(_unsafeBytes: part)))
      } catch {
        isMemoryFull = true
      }
    }
    if isMemoryFull { throw .memory }
    guard let start, let query else { throw .notAURL }
    do throws(WebURLError) { return (try WebURL(start), query) } catch { throw .notAURL }
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard let first = unsafe bytes.firstIndex(where: { !isSpace($0) }),
      let last = unsafe bytes.lastIndex(where: { !isSpace($0) })
    else { return unsafe bytes[..<0] }
    return unsafe bytes[first...last]
  }
}
