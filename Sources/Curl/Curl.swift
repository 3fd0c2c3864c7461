import CCurl

/// The library as a whole.
package enum Curl {
  /// Readies libcurl and its TLS library (about 1 ms). Once a process, while it has one thread. Returns whether it could.
  package static func start() -> Bool { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }
}
