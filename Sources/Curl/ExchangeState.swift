import CCurl
import CrashPoints
import Exchange
import Glibc

/// What libcurl's callbacks share while one exchange runs. One thread touches it.
@safe final class ExchangeState {
  /// How far the exchange got: before `sending` not one byte of the request has left.
  enum Phase {
    case connecting
    /// The callback before the first byte said no.
    case calledOff(String)
    case sending
  }

  var phase = Phase.connecting
  /// Bytes of body that are kept.
  private(set) var bodyCount = 0
  private(set) var isBodyCut = false
  private(set) var hasTooManyHeaders = false
  let scheme: RequestURL.Scheme

  private let isPublicOnly: Bool
  private var headerLines = 0
  private var headerBytes = 0
  private let limits: ExchangeLimits
  private let sockets: SocketLookup
  private let user: UInt32
  private let beforeFirstByte: () -> Bool
  /// The room for the body; it is the caller's and outlives the transfer.
  private let room: UnsafeMutableRawBufferPointer

  init(
    _ url: RequestURL, _ environment: ExchangeEnvironment, room: UnsafeMutableRawBufferPointer,
    beforeFirstByte: @escaping () -> Bool
  ) {
    scheme = url.scheme
    isPublicOnly = url.isPublicOnly
    limits = environment.limits
    sockets = environment.sockets
    user = environment.user
    unsafe self.room = unsafe room
    self.beforeFirstByte = beforeFirstByte
  }

  /// Keeps what fits. Returns how much to accept: less than `data` has ends the transfer.
  func keep(_ data: UnsafeRawBufferPointer) -> Int {
    let fits = unsafe min(data.count, room.count - bodyCount)
    unsafe UnsafeMutableRawBufferPointer(rebasing: room[bodyCount..<bodyCount + fits])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: data[..<fits]))
    bodyCount += fits
    isBodyCut = fits < data.count
    return fits
  }

  /// Counts a header line. Returns false when there are too many.
  func count(headerOf bytes: Int) -> Bool {
    if headerLines == 0 { CrashPoint.courierFirstByte.reached() }
    headerLines += 1
    headerBytes += bytes
    hasTooManyHeaders = headerLines > limits.headerLines || headerBytes > limits.headerBytes
    return !hasTooManyHeaders
  }

  /// Whether libcurl may connect to the address: in plain text only to this machine, and where the policy wants public
  /// addresses, to those.
  func allows(_ address: IPAddress?) -> Bool {
    switch scheme {
    case .https: !isPublicOnly || address?.isPublic ?? false
    case .plainLoopback: address?.isLoopback ?? false
    }
  }

  /// The last moment at which nothing has been sent. Returns whether to go on.
  func mayDepart(_ client: SocketTable.Endpoint?, _ server: SocketTable.Endpoint?) -> Bool {
    if scheme == .plainLoopback, !isOurs(client, server) {
      phase = .calledOff("the listener is not a program of this user")
      return false
    }
    guard beforeFirstByte() else {
      phase = .calledOff("called off")
      return false
    }
    phase = .sending
    return true
  }

  private func isOurs(_ client: SocketTable.Endpoint?, _ server: SocketTable.Endpoint?) -> Bool {
    guard let client, let server, server.address.isLoopback, let table = sockets.table(from: client, to: server) else {
      return false
    }
    return table.leads(from: client, to: server, onlyTo: user)
  }
}
