import EventLoop
import Glibc
import SecretService
import Secrets

/// What `Tests/Integration/keyring/run-store-tests.sh` has put on the bus, and a door to it.
enum Scene {
  /// Whether the script runs this part: the fake service's mode, `none`, or nil outside of it.
  static func isService(_ name: String) -> Bool { variable("ALMONER_TEST_SERVICE") == name }
  static var isBusAbsent: Bool { variable("ALMONER_TEST_BUS") == "none" }

  static let loop = Result { try LoopThread(name: "test-loop") }

  static func keyring(promptLimit: Duration = Keyring.promptLimit) throws -> Keyring {
    try Keyring(try loop.get().loop, promptLimit: promptLimit)
  }

  static let query = KeyringQuery(key: ["account": "1"], attributes: ["account": "1", "issuer": "i"])

  static func save(_ keyring: Keyring, isKnown: Bool = false) async throws {
    let secret = unsafe SecretBox(try SecretBytes(copying: Array("secret".utf8).span.bytes))
    let item = KeyringItem(label: "test", attributes: query.attributes, secret: secret)
    try await keyring.save(item, query, isKnown: isKnown) { _ in true }
  }

  static func isInconsistent(_ error: any Error) -> Bool {
    if case .inconsistent = error as? KeyringError { true } else { false }
  }

  static func isRefused(_ error: any Error) -> Bool {
    if case .refused = error as? KeyringError { true } else { false }
  }

  /// Whether there is none, for good, and the error says so with these words.
  static func isAbsent(_ error: any Error, _ words: String) -> Bool {
    guard case .absent(let text) = error as? KeyringError else { return false }
    return text.contains(words)
  }

  /// Whether it is unavailable, and says so with these words.
  static func isUnavailable(_ error: any Error, _ words: String) -> Bool {
    guard case .unavailable(let text) = error as? KeyringError else { return false }
    return text.contains(words)
  }

  /// Returns when the fake service showed as many prompts, or after very long.
  static func prompts(_ count: Int) async {
    for _ in 0..<3000 {
      let lines = (log ?? "").split(separator: "\n")
      if lines.count(where: { $0 == "Prompt" }) >= count { return }
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
  }

  /// What the fake service logged so far.
  private static var log: String? {
    guard let part = variable("ALMONER_TEST_PART") else { return nil }
    let file = unsafe open(part + "/calls", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
