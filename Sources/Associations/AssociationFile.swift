import Exchange
import JSON
import OAuth
package import Secrets

/// What a site says of the apps that may come back to it: `/.well-known/almoner-association.json`, as PROTOCOL.md has it.
package struct AssociationFile: Equatable, Sendable {
  /// One app as the site lists it.
  struct Entry: Equatable, Sendable {
    /// `app`: a reversed domain name, as of a desktop entry.
    let app: String
    /// `issuer`
    let issuer: String
    /// `client_id`
    let clientID: String
    /// `callback`
    let callback: String
  }

  /// What Almoner is called in such a file.
  package static let app = "org.almoner.Almoner"
  /// The `version` that is understood.
  static let version: Int64 = 1
  /// The most entries of `apps`.
  static let maximumEntries = 256

  private let host: AssociationDomain
  private let entries: [Entry]

  /// Reads the file of `host`. Members that are not known are passed over. Throws ``AssociationFileError``.
  package init(reading body: SecretBox, of host: AssociationDomain) throws(AssociationFileError) {
    do {
      let limits = JSONLimits(bytes: HTTPAnswer.maximumBody, depth: 4, members: 32, elements: Self.maximumEntries)
      let object = try JSONReader.parseObject(body, limits: limits)
      guard try object.int("version") == Self.version else { throw AssociationFileError.version }
      entries = try object.objects("apps").map { app in
        Entry(
          app: try app.string("app"), issuer: try app.string("issuer"), clientID: try app.string("client_id"),
          callback: try app.string("callback"))
      }
    } catch let error as AssociationFileError {
      throw error
    } catch {
      throw .malformed
    }
    self.host = host
  }

  /// Whether the site lists Almoner for this client. An entry counts only for a callback on the site's own host.
  package func lists(_ client: AssociatedClient) -> Bool {
    guard Self.isCallback(client.callback, on: host) else { return false }
    return entries.contains { entry in
      entry.app == Self.app && entry.issuer == client.issuer && entry.callback == client.callback
        && client.clientID.map { $0 == entry.clientID } ?? true
    }
  }

  /// Whether a redirect URI is `https` on exactly this host and the usual port.
  package static func isCallback(_ text: String, on host: AssociationDomain) -> Bool {
    do throws(WebURLError) {
      let url = try WebURL(text)
      return url.scheme == .https && url.host == host.text && url.effectivePort == 443
    } catch {
      return false
    }
  }
}

/// Why a file is not understood. It repeats nothing of it.
package enum AssociationFileError: Error, Equatable, Sendable {
  case malformed
  case version
}
