import CLinux
import EventLoop
import Glibc

/// `openssl s_server` on loopback, with a certificate for `localhost` (or another name) by an authority of its own.
@safe final class TLSServer {
  let port: UInt16
  /// The authority's certificate.
  let authority: String
  private let temporary: TemporaryDirectory
  private let output: UnsafeMutablePointer<FILE>

  /// `options` are those of `openssl s_server`.
  init(name: String = "localhost", _ options: String = "") throws {
    temporary = try TemporaryDirectory()
    let path = temporary.path
    authority = path + "/ca.pem"
    let script = """
      cd \(path) && exec 2>/dev/null &&
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 1 \
        -subj /CN=test-authority &&
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out csr.pem -subj /CN=server &&
      printf 'subjectAltName=DNS:%s' '\(name)' >ext && openssl x509 -req -in csr.pem -CA ca.pem -CAkey ca.key \
        -CAcreateserial -days 1 -extfile ext -out cert.pem &&
      exec timeout 20 openssl s_server -accept 127.0.0.1:0 -key key.pem -cert cert.pem -www -naccept 1 \(options)
      """
    guard let output = unsafe popen(script, "r") else { throw SystemError("popen") }
    unsafe self.output = output
    var line = [CChar](repeating: 0, count: 256)
    var port: UInt16?
    while port == nil, unsafe fgets(&line, 256, output) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("ACCEPT") else { continue }
      port = text.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) }
    }
    guard let port else { throw SystemError("starting openssl s_server", EINVAL) }
    self.port = port
  }

  // It ends after one connection or 20 s, so closing does not wait for ever.
  deinit { unsafe pclose(output) }
}
