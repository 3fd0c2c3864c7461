import JSON
import Secrets
import Wire

/// Keeps what is secret of a registered client where the person wants it kept, and nowhere else.
struct RegistrationKeeping: ~Copyable {
  private static let secretOption = "--client-secret-file"
  private static let registrationOption = "--registration-file"

  private var secret: KeptFile?
  private var registration: KeptFile?

  /// Makes the files, before anything is asked. Throws, and leaves none behind, when one cannot be made.
  init(secret: String?, registration: String?) throws(Failure) {
    self.secret = nil
    self.registration = nil
    if let secret { self.secret = try KeptFile(secret, of: Self.secretOption) }
    if let registration { self.registration = try KeptFile(registration, of: Self.registrationOption) }
  }

  /// Writes what came. Returns a sentence for each thing that did.
  mutating func keep(_ reply: Wire.RegisterClient.Reply) throws(Failure) -> [String] {
    var told: [String] = []
    if let value = reply.clientSecret {
      var text = WipedBuffer(capacity: value.count + 1)
      Self.append(value.secret, to: &text)
      text.append(UInt8(ascii: "\n"))
      try secret?.keep(text, of: reply.clientId)
      let life = reply.secretExpiresIn.map { " It is good for \(DurationText.words(Int($0)))." } ?? ""
      told.append("The client's secret is in the file that the configuration names.\(life)")
    } else if hasSecretFile {
      told.append("The issuer gave the client no secret that it shows; no file was written.")
    }
    if let token = reply.registrationAccessToken, let uri = reply.registrationClientUri {
      try registration?.keep(Self.management(reply, uri, token), of: reply.clientId)
      told.append("What changes or removes the client at the issuer (RFC 7592) is in the registration file.")
    } else if hasRegistrationFile {
      told.append("The issuer gave nothing to change or remove the client with; no registration file was written.")
    }
    return told
  }

  private var hasSecretFile: Bool {
    switch secret {
    case .some: true
    case .none: false
    }
  }

  private var hasRegistrationFile: Bool {
    switch registration {
    case .some: true
    case .none: false
    }
  }

  /// The members of RFC 7592 §3, and whose they are.
  private static func management(
    _ reply: Wire.RegisterClient.Reply, _ uri: String, _ token: SecretBox
  ) -> WipedBuffer {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("issuer", reply.issuer)
      writer.member("client_id", reply.clientId)
      writer.member("registration_client_uri", uri)
      writer.member("registration_access_token", secret: token)
    }
    writer.raw(UInt8(ascii: "\n"))
    return writer.finish()
  }

  private static func append(_ secret: borrowing SecretBytes, to text: inout WipedBuffer) { text.append(secret.bytes) }
}
