package import Secrets

/// What the daemon and `almoner-callback` say to each other over the child's descriptor 0, a stream socket.
///
/// A frame is a length (4 bytes, of what follows), a kind (1 byte), and the kind's fields; numbers are big-endian, a
/// text is 2 bytes of length and UTF-8:
///
/// | kind | from | fields | meaning |
/// |---|---|---|---|
/// | 1 listen | daemon | flags (1; bit 0: any port), deadline in seconds from receipt (4), uid (4), authority, path | first, once |
/// | 2 verdict | daemon | ``Verdict`` (1) | on the oldest query without one |
/// | 3 listening | child | port (2) | both loopback families are bound, the child is confined |
/// | 4 port busy | child | – | somebody has the registered port; the child exits |
/// | 5 query | child | the raw query, not decoded | a browser came back; at most 15 s for the verdict |
/// | 6 failed | child | errno (4) | no listener or no confinement; the child exits |
///
/// Either side closes the socket when it has no more to say. The daemon closes it to end the wait.
package enum CallbackFrame: Sendable {
  /// What the child is to listen for.
  package struct Listen: Equatable, Sendable {
    /// `host:port` as registered. With `anyPort` the port is left out or ignored (RFC 8252 §7.3).
    package let authority: String
    /// The path as registered, starting with `/`.
    package let path: String
    package let anyPort: Bool
    /// Seconds from receipt after which nobody is waited for (boot clock).
    package let deadline: UInt32
    /// The only user whose browser is listened to.
    package let uid: UInt32

    package init(authority: String, path: String, anyPort: Bool, deadline: UInt32, uid: UInt32) {
      self.authority = authority
      self.path = path
      self.anyPort = anyPort
      self.deadline = deadline
      self.uid = uid
    }
  }

  /// What the daemon makes of a query.
  package enum Verdict: UInt8, CaseIterable, Sendable {
    /// It belongs to the attempt and carries a code: the attempt is over, the page says to go back.
    case accepted = 0
    /// It does not belong to the attempt (state, `iss`): nothing is changed, the child listens on.
    case rejected = 1
    /// No attempt waits for it any more: the page says to start again.
    case lost = 2
    /// It belongs to the attempt and carries an error (RFC 6749 §4.1.2.1): the attempt is over.
    case denied = 3
  }

  case listen(Listen)
  case verdict(Verdict)
  case listening(port: UInt16)
  case portBusy
  case query(SecretBox)
  case failed(errno: Int32)

  /// Bytes that a frame may have after its length.
  package static let maximum = 16 << 10
  /// Bytes of a raw query.
  package static let maximumQuery = 8 << 10

  /// Why bytes are no frame. They are never shown.
  package enum Malformed: Error, Equatable {
    case tooLong
    case unknownKind
    case wrongFields
  }
}
