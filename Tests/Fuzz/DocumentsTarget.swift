import Associations
import Exchange
import JOSE
import OAuth
import Secrets
import Time

extension FuzzTarget {
  /// A JSON document of an issuer or of a callback's owner, given to everything that reads one: what is taken is fit to be
  /// shown, followed or sent, and leads nowhere that it must not.
  static let documents = FuzzTarget(name: "documents") { bytes in
    let body = SecretBox(fuzzed: bytes)
    let answer = HTTPAnswer(
      status: 200, date: nil, retryAfter: nil, contentType: "application/json", body: body, isTruncated: false,
      receivedAt: BootInstant(nanoseconds: 0), receivedBoot: BootID(high: 0, low: 0),
      receivedWall: WallInstant(seconds: 0))
    checkMetadata(body)
    checkKeys(body)
    checkPushed(body)
    checkDeviceCodes(answer)
    checkRegistration(answer)
    checkAssociation(body)
  }

  private static let issuer = "https://issuer.test"

  private static func checkMetadata(_ body: SecretBox) {
    let metadata: ServerMetadata
    do {
      metadata = try ServerMetadata(
        reading: body, of: IssuerIdentifier(issuer, plainLoopback: false), policy: EndpointPolicy(plainLoopback: false))
    } catch {
      return
    }
    for endpoint in ServerEndpoint.allCases {
      require(metadata[endpoint].map { $0.scheme == .https } ?? true, "metadata leads to https only")
    }
  }

  private static func checkKeys(_ body: SecretBox) {
    do { _ = try JSONWebKeySet(reading: body) } catch { return }
  }

  private static func checkPushed(_ body: SecretBox) {
    guard let response = PushedAuthorizationResponse(reading: body) else { return }
    require(response.lifetime > 0, "a name that is taken has a life")
    require(
      isPlain(response.requestURI, atMost: PushedAuthorizationResponse.maximumLength), "a name has no space in it")
  }

  private static func checkDeviceCodes(_ answer: HTTPAnswer) {
    do throws(DeviceAuthorizationError) {
      let codes = try DeviceAuthorization(answer)
      require((1...DeviceAuthorization.maximumUserCode).contains(codes.userCode.utf8.count), "a code can be typed")
      require(codes.userCode.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "a code moves no cursor")
      require(codes.interval > .zero && codes.interval <= .seconds(60), "polls have a pause, which ends")
      require(codes.expiry <= BootInstant(nanoseconds: 0) + .seconds(1800), "no code lives for ever")
      require(codes.expiry > BootInstant(nanoseconds: 0), "a code lives")
      if let url = codes.browserURL { require(url.scheme == .https || url.isLoopback, "a browser is led to https") }
    } catch {
      return
    }
  }

  private static func checkRegistration(_ answer: HTTPAnswer) {
    guard case .registered(let client) = ClientRegistrationAnswer(answer) else { return }
    require(isPlain(client.id, atMost: RegisteredClient.maximumID), "a client has a name on one line")
    if let secret = client.secret {
      require((1...RegisteredClient.maximumSecret).contains(secret.count), "a secret can be read back")
    }
  }

  private static func checkAssociation(_ body: SecretBox) {
    guard let host = AssociationDomain("app.test") else { return require(false, "a host is a host") }
    do throws(AssociationFileError) {
      let file = try AssociationFile(reading: body, of: host)
      for callback in ["https://app.test.evil.test/cb", "http://app.test/cb", "https://app.test:444/cb", "x"] {
        let client = AssociatedClient(issuer: issuer, clientID: nil, callback: callback)
        require(!file.lists(client), "a site speaks for its own host only")
      }
    } catch {
      return
    }
  }

  private static func isPlain(_ text: String, atMost most: Int) -> Bool {
    (1...most).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) }
  }
}
