import CMicroHTTPD

/// One `struct MHD_Daemon`: one listening socket and its connections, stopped when released.
@safe final class HTTPDaemon {
  /// Touched by `run` and `deinit` alone; libmicrohttpd's own threads lock for themselves.
  private let pointer: OpaquePointer
  /// Kept alive for the callbacks, which get it unretained.
  private let site: HTTPSite

  /// Serves on a socket that listens. Nil: libmicrohttpd would not; the socket is still the caller's then.
  init?(_ descriptor: Int32, flags: UInt32, limits: HTTPLimits, handler: any HTTPHandler) {
    guard let local = LoopbackEndpoint.local(of: descriptor) else { return nil }
    let site = HTTPSite(local: local, limits: limits, handler: handler)
    let context = unsafe Unmanaged.passUnretained(site).toOpaque()
    var options = unsafe [
      Self.option(.LISTEN_SOCKET, Int(descriptor)),
      Self.option(.CONNECTION_LIMIT, limits.connections),
      Self.option(.CONNECTION_TIMEOUT, limits.idleSeconds),
      // The request line and headers are kept there, and 8 KiB of body or answer at a time.
      Self.option(.CONNECTION_MEMORY_LIMIT, limits.headerBytes + (8 << 10)),
      Self.option(.STRICT_FOR_CLIENT, 1),
      MHD_OptionItem(option: .URI_LOG_CALLBACK, value: cmhd_uri_callback(beginExchange), ptr_value: context),
      MHD_OptionItem(option: .NOTIFY_COMPLETED, value: cmhd_completed_callback(endExchange), ptr_value: context),
    ]
    // Swift needs little stack, and hundreds of connections may be open.
    if flags & MHD_USE_THREAD_PER_CONNECTION.rawValue != 0 {
      unsafe options.append(Self.option(.THREAD_STACK_SIZE, 512 << 10))
    }
    unsafe options.append(Self.option(.END, 0))
    guard let pointer = unsafe cmhd_start(flags, admitPeer, answerExchange, context, &options) else { return nil }
    unsafe self.pointer = pointer
    self.site = site
  }

  deinit {
    site.closeWaiting()
    unsafe MHD_stop_daemon(pointer)
  }

  /// Readable when ``run()`` has something to do.
  var pollDescriptor: Int32 { unsafe cmhd_epoll_fd(pointer) }

  /// After how long ``run()`` is due although nothing became readable; nil: never.
  var timeout: Duration? {
    var milliseconds: UInt64 = 0
    guard unsafe MHD_get_timeout(pointer, &milliseconds) == .YES else { return nil }
    // An hour is as good as for ever here, and no unit overflows.
    return .milliseconds(Int64(min(milliseconds, 3_600_000)))
  }

  var connections: Int { Int(unsafe cmhd_connections(pointer)) }

  func run() { _ = unsafe MHD_run(pointer) }

  private static func option(_ name: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
    unsafe MHD_OptionItem(option: name, value: value, ptr_value: nil)
  }
}
