import CLinux
import Glibc
import LocalSocket
import Testing

@Suite struct ListenerTests {
  @Test func `a bound socket is for its owner alone, in a directory for its owner alone`() throws {
    let place = try Place()
    let listener = try place.bind()
    #expect(place.mode(place.path.text) & 0o777 == 0o600)
    #expect(place.mode(place.directory) & 0o777 == 0o700)
    #expect(clinux_is_listener(listener.descriptor) == 1)
  }

  @Test func `binding replaces the socket of a daemon that died`() throws {
    let place = try Place()
    do { _ = try place.bind() }
    #expect(throws: LocalSocketError.refused) { try place.connect() }
    let listener = try place.bind()
    try place.connect()
    withExtendedLifetime(listener) {}
  }

  @Test func `binding leaves no temporary name behind`() throws {
    let place = try Place()
    let listener = try place.bind()
    #expect(place.mode("\(place.directory)/.\(getpid()).sock") == 0)
    listener.retire()
  }

  @Test func `a directory that others can enter is refused`() throws {
    let place = try Place()
    unsafe mkdir(place.directory, 0o700)
    unsafe chmod(place.directory, 0o750)
    #expect(throws: LocalSocketError.untrustedDirectory("is open to others")) { _ = try place.bind() }
  }

  @Test func `a directory that is a symbolic link is refused`() throws {
    let place = try Place()
    unsafe symlink("/tmp", place.directory)
    #expect(throws: LocalSocketError.untrustedDirectory("is not a directory")) { _ = try place.bind() }
  }

  @Test func `a directory of another user is refused`() throws {
    let place = try Place()
    #expect(throws: LocalSocketError.untrustedDirectory("belongs to another user")) {
      _ = try LocalListener.bind(place.path, user: getuid() + 1)
    }
  }

  @Test func `retiring removes our path`() throws {
    let place = try Place()
    let listener = try place.bind()
    listener.retire()
    #expect(throws: LocalSocketError.absent) { try place.connect() }
  }

  @Test func `retiring leaves the path of a successor alone`() throws {
    let place = try Place()
    let old = try place.bind()
    let new = try place.bind()
    old.retire()
    try place.connect()
    withExtendedLifetime(new) {}
  }

  @Test func `a socket passed by systemd is taken over`() throws {
    let place = try Place()
    let listener = try place.bind()
    let passed = dup(listener.descriptor)
    let inherited = try LocalListener.inherit(first: passed) { Self.passed[$0] }
    #expect(inherited?.descriptor == passed)
  }

  @Test func `sockets passed to another process are not ours`() throws {
    #expect(try LocalListener.inherit { ["LISTEN_FDS": "1", "LISTEN_PID": "1"][$0] } == nil)
  }

  @Test(arguments: ["0", "2", "-1", "x", ""])
  func `any other number of passed sockets than one is refused`(count: String) {
    #expect(throws: LocalSocketError.badInheritance("is not exactly one socket")) {
      _ = try LocalListener.inherit { $0 == "LISTEN_FDS" ? count : Self.passed[$0] }
    }
  }

  @Test func `a passed descriptor that does not listen is refused`() throws {
    let socket = clinux_socket()
    defer { close(socket) }
    #expect(throws: LocalSocketError.badInheritance("is not a listening local stream socket")) {
      _ = try LocalListener.inherit(first: socket) { Self.passed[$0] }
    }
  }

  private static let passed = ["LISTEN_FDS": "1", "LISTEN_PID": String(getpid())]
}

/// A directory in which a socket may be bound.
final class Place: Sendable {
  private let root: TemporaryDirectory
  let directory: String
  let path: SocketPath

  init() throws {
    root = try TemporaryDirectory()
    directory = root.path + "/almoner"
    path = try SocketPath(directory + "/almoner.sock", isExplicit: false)
  }

  func bind() throws -> LocalListener { try LocalListener.bind(path, user: getuid()) }

  func connect() throws { _ = try LocalConnection(to: path, user: getuid(), by: Deadline(in: .seconds(5))) }

  /// 0 when there is nothing.
  func mode(_ path: String) -> mode_t {
    var facts = stat()
    return unsafe lstat(path, &facts) == 0 ? facts.st_mode : 0
  }
}
