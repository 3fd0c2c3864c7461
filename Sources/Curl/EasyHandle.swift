import CCurl
import Exchange
import Secrets

/// A libcurl handle, set up for one exchange.
@safe struct EasyHandle: ~Copyable {
  /// The hashed directory: loading Debian's bundle file instead costs 46 ms.
  static let authorityDirectory = "/etc/ssl/certs"

  let handle: UnsafeMutableRawPointer
  /// The first option that libcurl refused.
  private var refusal = CURLE_OK

  init() throws(ExchangeFailure) {
    guard let handle = unsafe curl_easy_init() else { throw .notSent("out of memory") }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  /// Sets everything up. `headers` and the request's body must outlive the transfer: libcurl does not copy them.
  mutating func prepare(
    _ request: OutgoingRequest, _ url: RequestURL, _ headers: borrowing HeaderList, _ limits: ExchangeLimits
  ) throws(ExchangeFailure) {
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_PROTOCOLS_STR, url.scheme == .https ? "https" : "http")
    unsafe set(CURLOPT_HTTPHEADER, pointer: headers.head)
    setMethod(request)
    setConnection(limits)
    setTrust(request.egress)
    setProxy(request.egress, url.scheme)
    guard refusal == CURLE_OK else { throw .notSent("libcurl lacks something: " + Self.text(refusal)) }
  }

  mutating func setCallbacks(_ state: ExchangeState) {
    let context = unsafe Unmanaged.passUnretained(state).toOpaque()
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA] {
      unsafe set(option, pointer: context)
    }
    unsafe note(ccurl_on_data(handle, CURLOPT_WRITEFUNCTION, onBody))
    unsafe note(ccurl_on_data(handle, CURLOPT_HEADERFUNCTION, onHeader))
    unsafe note(ccurl_on_prereq(handle, onPrereq))
    unsafe note(ccurl_on_open_socket(handle, onOpenSocket))
  }

  /// Runs the transfer on this thread.
  func perform() -> CURLcode { refusal == CURLE_OK ? unsafe curl_easy_perform(handle) : refusal }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe ccurl_get_number(handle, info, &value) == CURLE_OK ? value : 0
  }

  /// A header field of the final answer; nil when it is absent, there twice, or not UTF-8.
  func header(_ name: String) -> String? {
    var field: UnsafeMutablePointer<curl_header>?
    guard unsafe curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK,
      let field = unsafe field, unsafe field.pointee.amount == 1, let value = unsafe field.pointee.value
    else { return nil }
    return unsafe String(validatingCString: value)
  }

  static func text(_ code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error"
  }

  private mutating func setMethod(_ request: OutgoingRequest) {
    switch request.method {
    case .get: set(CURLOPT_HTTPGET, 1)
    case .delete: set(CURLOPT_CUSTOMREQUEST, "DELETE")
    case .post:
      set(CURLOPT_POST, 1)
      unsafe note(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body?.count ?? 0)))
      unsafe request.body?.withUnsafeBytes { unsafe set(CURLOPT_POSTFIELDS, pointer: $0.baseAddress) }
    }
  }

  private mutating func setConnection(_ limits: ExchangeLimits) {
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_FRESH_CONNECT, 1)
    set(CURLOPT_FORBID_REUSE, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, 0)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connecting)
    set(CURLOPT_TIMEOUT_MS, limits.total)
  }

  private mutating func setTrust(_ egress: EgressPolicy) {
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    for (file, directory) in [
      (CURLOPT_CAINFO, CURLOPT_CAPATH), (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH),
    ] {
      set(file, egress.caFile)
      set(directory, egress.caFile == nil ? Self.authorityDirectory : nil)
    }
  }

  private mutating func setProxy(_ egress: EgressPolicy, _ scheme: RequestURL.Scheme) {
    // An empty text means "none, whatever the environment says".
    let proxy = scheme == .https ? egress.proxy : nil
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_NOPROXY, proxy == nil ? "*" : "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private mutating func set(_ option: CURLoption, _ value: Int) {
    unsafe note(ccurl_set_number(handle, option, value))
  }

  private mutating func set(_ option: CURLoption, _ value: String?) {
    unsafe note(ccurl_set_text(handle, option, value))
  }

  private mutating func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    unsafe note(ccurl_set_pointer(handle, option, pointer))
  }

  private mutating func note(_ code: CURLcode) {
    if refusal == CURLE_OK { refusal = code }
  }
}
