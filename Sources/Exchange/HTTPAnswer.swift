package import Secrets
package import Time

/// What came back for one ``OutgoingRequest``: any status, body as received. It has been read by nobody yet.
package struct HTTPAnswer: Sendable {
  /// The most bytes of body that a courier keeps. A longer answer is cut there and marked.
  package static let maximumBody = 48 << 10

  /// The HTTP status, 100…599.
  package let status: Int
  /// The answer's `Date`, if it had one that could be read.
  package let date: WallInstant?
  /// The answer's `Retry-After` as the server put it, seconds from receipt; nil when absent or unreadable. Not yet capped.
  package let retryAfter: Int64?
  /// The answer's `DPoP-Nonce` (RFC 9449 §8), if it had one that is sound.
  package let dpopNonce: String?
  /// The media type of `Content-Type`, lower case, without parameters; empty when absent.
  package let contentType: String
  /// The raw body: it may hold tokens.
  package let body: SecretBox
  /// Whether the body was cut at ``maximumBody``.
  package let isTruncated: Bool
  /// When the last byte came.
  package let receivedAt: BootInstant
  package let receivedBoot: BootID
  package let receivedWall: WallInstant

  package init(
    status: Int, date: WallInstant?, retryAfter: Int64?, dpopNonce: String? = nil, contentType: String, body: SecretBox,
    isTruncated: Bool,
    receivedAt: BootInstant, receivedBoot: BootID, receivedWall: WallInstant
  ) {
    self.status = status
    self.date = date
    self.retryAfter = retryAfter
    self.dpopNonce = dpopNonce
    self.contentType = contentType
    self.body = body
    self.isTruncated = isTruncated
    self.receivedAt = receivedAt
    self.receivedBoot = receivedBoot
    self.receivedWall = receivedWall
  }
}
