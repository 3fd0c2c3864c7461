import CLinux

/// What a descriptor is watched for. A hang-up and an error are always reported.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let read = Self(rawValue: 1)
  package static let write = Self(rawValue: 2)
  /// Silent after the first report.
  static let once = Self(rawValue: 4)

  package init(reading: Bool, writing: Bool) { rawValue = (reading ? 1 : 0) | (writing ? 2 : 0) }

  /// The end of the peer's stream comes with `read`, so that a watch for nothing stays silent about it.
  var events: UInt32 {
    (contains(.read) ? clinux_readable | clinux_peer_closed : 0) | (contains(.write) ? clinux_writable : 0)
      | (contains(.once) ? clinux_once : 0)
  }
}

/// What a descriptor turned out to be ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Self(rawValue: 1)
  package static let writable = Self(rawValue: 2)
  /// The peer will send no more; what it sent may still be there to read.
  package static let peerClosed = Self(rawValue: 4)
  /// Both directions are gone. It is reported until the descriptor is no longer watched.
  package static let hangup = Self(rawValue: 8)
  package static let error = Self(rawValue: 16)

  /// Whether reading would bring something: bytes, or the end of the peer's stream.
  package var hasInput: Bool { rawValue & (1 | 4) != 0 }
  /// Whether nobody is at the other end any more.
  package var isGone: Bool { rawValue & (8 | 16) != 0 }

  init(events: UInt32) {
    var ready: Self = []
    if events & clinux_readable != 0 { ready.insert(.readable) }
    if events & clinux_writable != 0 { ready.insert(.writable) }
    if events & clinux_peer_closed != 0 { ready.insert(.peerClosed) }
    if events & clinux_hangup != 0 { ready.insert(.hangup) }
    if events & clinux_error != 0 { ready.insert(.error) }
    self = ready
  }
}
