import CCurl
import Exchange
import Secrets

/// The header fields of a request as libcurl takes them. A token's copy in it is wiped by the allocator.
@safe struct HeaderList: ~Copyable {
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  /// Throws when the token has bytes that do not belong in a header field, or there is no memory.
  init(_ request: OutgoingRequest) throws(ExchangeFailure) {
    unsafe head = nil
    // No `Expect`: a server that answers 417 or waits would put a second question into one flight.
    try append("Expect:")
    try append("Accept: application/json")
    if let type = request.contentType { try append("Content-Type: " + type.rawValue) }
    // Some servers refuse requests that do not say what sent them.
    try append("User-Agent: almoner")
    if let bearer = request.bearer {
      try append(request.dpopProof == nil ? "Authorization: Bearer " : "Authorization: DPoP ", bearer)
    } else if let basic = request.basic {
      try append("Authorization: Basic ", basic)
    }
    if let proof = request.dpopProof { try append("DPoP: ", proof) }
  }

  deinit { unsafe curl_slist_free_all(head) }

  private mutating func append(_ field: String) throws(ExchangeFailure) {
    guard let longer = unsafe curl_slist_append(head, field) else { throw .notSent("out of memory") }
    unsafe head = unsafe longer
  }

  /// RFC 6750 §2.1, RFC 7617 §2, RFC 9449 §4.1. Visible ASCII only, so that no token can add a line of its own.
  private mutating func append(_ field: String, _ token: SecretBox) throws(ExchangeFailure) {
    let isToken = unsafe token.withUnsafeBytes { unsafe $0.allSatisfy { $0 > 0x20 && $0 < 0x7f } }
    guard isToken, token.count > 0 else { throw .notSent("the token has bytes that no header may carry") }
    let prefix = Array(field.utf8)
    let line: SecretBytes
    do {
      line = unsafe try SecretBytes(capacity: prefix.count + token.count + 1) { room in
        unsafe room.copyBytes(from: prefix)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[prefix.count...])
        unsafe token.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        return room.count
      }
    } catch {
      throw .notSent("no secret memory")
    }
    let longer = unsafe line.withUnsafeBytes { line in
      unsafe curl_slist_append(head, line.assumingMemoryBound(to: CChar.self).baseAddress)
    }
    guard let longer = unsafe longer else { throw .notSent("out of memory") }
    unsafe head = unsafe longer
  }
}
