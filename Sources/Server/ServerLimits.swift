import CLinux
import Wire

/// Every number that bounds what a peer can do to the server.
package struct ServerLimits: Sendable {
  /// Bytes of one call, its NUL not counted.
  package var frame = Wire.maximumFrame
  /// Bytes read at once from one connection, so that a talkative one waits for its turn.
  package var bytesPerTurn = 16 << 10
  /// How long a call may take from its first byte to its NUL. A connection between calls may idle for ever.
  package var unfinishedFrame = Duration.seconds(5)
  /// How long answers may stay unread.
  package var unreadAnswer = Duration.seconds(5)
  /// How long a call that answers once may run. Handlers have deadlines of their own; this is the net below them.
  package var call = Duration.seconds(180)
  /// Calls that wait on one connection for the one before them. Above it nothing more is read.
  package var queuedCalls = 16
  /// Bytes of them. One more call may pass it.
  package var queuedBytes = 64 << 10
  /// Calls of one connection that are answered before others have their turn.
  package var answersPerTurn = 4
  /// Calls that are answered, of all connections that have more than that, before the sockets are looked at again.
  package var backlogPerTurn = 64
  /// Bytes of answers that wait on one connection. Above it no call is begun, and a stream waits.
  package var unsentBytes = 64 << 10
  /// Connections of one process.
  package var connectionsPerPeer: Int
  /// Connections in all. The rest of the descriptors is for the daemon itself.
  package var connections: Int
  /// Connections accepted before others get their turn.
  package var acceptsPerTurn = 64
  /// How long accepting pauses when the kernel has no descriptor left and none of ours is closed meanwhile.
  package var acceptPause = Duration.milliseconds(500)

  /// Connections of one process at most, however many descriptors there are.
  package static let mostPerPeer = 1024
  /// Connections at most: what each may keep waiting has to fit into memory.
  package static let mostConnections = 16_384
  /// Descriptors that connections never take: stores, journals, couriers, bus.
  package static let keptDescriptors = 64

  /// The limits under so many descriptors.
  package init(descriptors: Int) {
    connectionsPerPeer = min(Self.mostPerPeer, max(1, descriptors / 2))
    connections = min(Self.mostConnections, max(1, descriptors - min(Self.keptDescriptors, descriptors / 4)))
  }

  /// Raises RLIMIT_NOFILE to its hard limit, and takes the limits from it.
  package static func raisingDescriptorLimit() -> Self {
    // A failure leaves the usual soft limit.
    let descriptors = clinux_raise_descriptor_limit()
    return Self(descriptors: descriptors > 0 ? Int(descriptors) : 1024)
  }
}
