import CMicroHTTPD
import Glibc
import Secrets
import Synchronization

/// One request on its way through a server: what has come of it, and how it is to end.
///
/// libmicrohttpd calls for one connection from one thread at a time; ``finish(_:)`` may come from any.
@safe package final class HTTPExchange: Sendable {
  private struct Progress {
    var body: SecretBox?
    var refusal: Int?
    var outcome: HTTPOutcome?
    var isWaiting = false
    var isOpen = false
  }

  /// libmicrohttpd's handle, valid until it reports the request as completed; it owns this object until then.
  nonisolated(unsafe) private let connection: OpaquePointer
  private let path: String
  private let query: SecretBox?
  private let progress: Mutex<Progress>

  /// Splits the raw request target, before libmicrohttpd decodes it in place.
  init(_ connection: OpaquePointer, target: UnsafePointer<CChar>, limits: HTTPLimits) {
    unsafe self.connection = connection
    let raw = unsafe UnsafeRawBufferPointer(start: target, count: strlen(target))
    let mark = unsafe raw.firstIndex(of: UInt8(ascii: "?"))
    path = unsafe String(validating: raw[..<(mark ?? raw.endIndex)], as: UTF8.self) ?? ""
    var refusal = raw.count > limits.target ? 414 : nil
    var query: SecretBox?
    if let mark, refusal == nil {
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: raw[(mark + 1)...])
      do {
        query = SecretBox(unsafe try SecretBytes(copying: bytes.bytes))
      } catch {
        refusal = 503
      }
    }
    self.query = query
    progress = Mutex(Progress(refusal: refusal))
  }

  /// Ends a request that was kept waiting. Later calls change nothing.
  package func finish(_ outcome: HTTPOutcome) {
    let resume = progress.withLock { state in
      guard state.isWaiting, state.outcome == nil else { return false }
      state.outcome = outcome
      return true
    }
    if resume { unsafe MHD_resume_connection(connection) }
  }

  /// Breaks the connection at once, before the handler has returned.
  package func breakConnection() { _ = unsafe shutdown(cmhd_connection_fd(connection), Int32(SHUT_RDWR)) }

  /// A status that refuses the request before any handler sees it.
  var refusal: Int? { progress.withLock { $0.refusal } }

  /// What a waiting request was told, once.
  func takeOutcome() -> HTTPOutcome? {
    progress.withLock { state in
      guard state.isWaiting, let outcome = state.outcome else { return nil }
      state.isWaiting = false
      return outcome
    }
  }

  /// Stops reading and writing on the connection until ``finish(_:)``.
  func suspend() {
    progress.withLock { $0.isWaiting = true }
    unsafe MHD_suspend_connection(connection)
  }

  /// Whether the headers have been looked at.
  var isOpen: Bool { progress.withLock { $0.isOpen } }

  func markOpen() { progress.withLock { $0.isOpen = true } }

  func refuse(_ status: Int) { progress.withLock { $0.refusal = status } }

  /// Adds a piece of the body. False: more than `limit`, or no room for it.
  func append(_ piece: UnsafeRawBufferPointer, limit: Int) -> Bool {
    progress.withLock { state in
      let before = state.body?.count ?? 0
      guard before + piece.count <= limit else { return false }
      do {
        let joined = unsafe try SecretBytes(capacity: before + piece.count) { room in
          if let old = state.body { unsafe old.withUnsafeBytes { unsafe room.copyMemory(from: $0) } }
          unsafe UnsafeMutableRawBufferPointer(rebasing: room[before...]).copyMemory(from: piece)
          return room.count
        }
        state.body = SecretBox(joined)
        return true
      } catch {
        return false
      }
    }
  }

  /// The whole request, for the handler.
  func request(method: String, headers: [HTTPRequest.Header]) -> HTTPRequest {
    let descriptor = unsafe cmhd_connection_fd(connection)
    return HTTPRequest(
      method: method, path: path, query: query, headers: headers, body: progress.withLock { $0.body },
      peer: LoopbackEndpoint.peer(of: descriptor), local: LoopbackEndpoint.local(of: descriptor))
  }
}
