import Glibc
import Secrets
import Wire

/// What an issuer gave the person to register a client with (RFC 7591 §3). It comes from a file or from standard input, and
/// never from an argument or the environment, which others may read.
enum InitialAccessToken {
  enum Source: Sendable {
    case file(String)
    case standardInput
  }

  static func read(_ source: Source, _ console: Console) throws(Failure) -> SecretBox {
    let token: SecretBox?
    switch source {
    case .file(let path): token = try line(ofFile: path)
    case .standardInput:
      token = console.canAsk ? console.secret("Initial access token:") : console.readSecretLine()
    }
    guard let token, (1...Wire.Limit.bearer).contains(token.count) else {
      throw Failure(.usage, code: "no-token", "there is no initial access token of 1 to \(Wire.Limit.bearer) bytes")
    }
    return token
  }

  /// The file's one line, if the file is the person's alone.
  private static func line(ofFile path: String) throws(Failure) -> SecretBox? {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(SystemReason.words(errno)) }
    let file = OwnedDescriptor(descriptor)
    var facts = stat()
    guard unsafe fstat(file.number, &facts) == 0 else { throw refusal(SystemReason.words(errno)) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw refusal("it is no ordinary file") }
    guard facts.st_uid == getuid(), facts.st_mode & 0o077 == 0 else {
      throw refusal("it must be yours, and closed to everybody else (mode 0600)")
    }
    return Console(input: file.number, output: -1, errors: -1, environment: Environment([:])).readSecretLine()
  }

  private static func refusal(_ why: String) -> Failure {
    Failure(.failure, code: "storage", "--token-file: \(why)")
  }
}
