import CLinux
import Glibc
import HTTPServer
import JSON
import Secrets
import Sodium

/// Starts the issuer, says where it is, and lets it run until a signal ends the process.
enum SandboxProgram {
  static func run(_ options: SandboxOptions) throws {
    if options.exitsWithParent { _ = clinux_signal_on_parent_death(SIGTERM) }
    signal(SIGPIPE, SIG_IGN)
    raiseDescriptorLimit()
    try Sodium.start()
    let listener = try LoopbackListener(.v4, port: options.port)
    // Browsers know no passkeys of an address, only of a name.
    let origin = "http://\(options.asksSecondFactor ? Passkey.Ceremony.relyingParty : "127.0.0.1"):\(listener.port)"
    let issuer = Issuer(try IssuerState(origin: origin, options: options), auto: options.auto)
    let limits = HTTPLimits(body: 64 << 10, connections: 2048)
    let server = try HTTPServer(threadsOn: [listener.release()], limits: limits, handler: issuer)
    announce(issuer)
    withExtendedLifetime(server) { while true { pause() } }
  }

  /// What went wrong, for a person.
  static func explain(_ error: any Error) -> String {
    switch error {
    case LoopbackListener.Failure.portBusy: "the port is in use; choose another with --port, or 0 for any"
    case LoopbackListener.Failure.system(let code): unsafe String(cString: strerror(code))
    default: "cannot start: no memory, descriptors or threads left"
    }
  }

  private static func announce(_ issuer: Issuer) {
    let (origin, clientID, redirects) = issuer.with { ($0.origin, $0.clientID, $0.redirects.map(\.text)) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("origin", origin)
      writer.member("publishable_key", "pk_test_" + Base64URL.encode(Array(origin.utf8)))
      writer.member("client_id", clientID)
      writer.member("control_key", issuer.controlKey)
      writer.member("redirect_uris", strings: redirects)
    }
    let line = writer.finish()
    Output.answer(unsafe line.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } + "\n")
  }

  /// A thread and a descriptor for each connection: the soft limit of 1024 is too little for a crowd.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
