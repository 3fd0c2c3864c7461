import CLinux
import Glibc
import LocalSocket

/// A listening socket in a private directory.
final class Place: Sendable {
  struct Failed: Error {}

  private let directory: String
  private let path: SocketPath
  let listener: LocalListener

  init() throws {
    var template = Array("/tmp/almoner-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failed() }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = try SocketPath(directory + "/almoner.sock", isExplicit: true)
    listener = try LocalListener.bind(path, user: getuid())
  }

  deinit {
    listener.retire()
    unsafe rmdir(directory)
  }

  func connect() throws -> RawClient {
    let client = RawClient(clinux_socket())
    try connect(client)
    return client
  }

  /// Connects a socket that is there already.
  func connect(_ client: RawClient) throws {
    guard unsafe clinux_connect(client.descriptor, path.text, 5_000_000_000) == 0,
      fcntl(client.descriptor, F_SETFL, 0) == 0
    else { throw Failed() }
  }
}
