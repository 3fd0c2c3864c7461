import CCurl
import OAuth

extension FuzzTarget {
  /// A URL, one a line, that we take is the same URL to libcurl, which sends the request: nobody sees another host in it.
  static let address = FuzzTarget(name: "address") { bytes in
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let text = String(validating: line, as: UTF8.self) else { continue }
      checkPublishableKey(text)
      checkURL(text)
    }
  }

  private static func checkURL(_ text: String) {
    do throws(WebURLError) {
      let url = try WebURL(text)
      require(url.hasSameDestination(as: url), "a URL leads where it leads")
      let port = url.port.map { ":\($0)" } ?? ""
      let query = url.query.map { "?\($0)" } ?? ""
      require(
        text.lowercased() == "\(url.scheme)://\(url.host)\(port)\(url.path)\(query)".lowercased(), "nothing is lost")
      compareWithCurl(url)
      checkRoles(url)
    } catch {
      do throws(RedirectURIError) {
        _ = try RedirectURI(text)
        require(false, "what is no URL is no redirect URI")
      } catch {
        return
      }
    }
  }

  private static func checkRoles(_ url: WebURL) {
    do throws(RedirectURIError) {
      let redirect = try RedirectURI(url.text)
      require(url.scheme == .https || url.isLoopback, "plain http redirects to this machine only")
      let bound = try redirect.bound(toPort: 65535)
      require(
        bound.url.path == redirect.url.path && bound.url.query == redirect.url.query, "a port changes nothing else")
    } catch {
      require(url.scheme == .http || url.text.contains("*"), "any https URL without a wildcard is a redirect URI")
    }
    do throws(IssuerIdentifierError) {
      let issuer = try IssuerIdentifier(url.text, plainLoopback: false)
      require(url.scheme == .https && url.query == nil && issuer.path == url.path, "an issuer is https without query")
    } catch {
      return
    }
  }

  private static func checkPublishableKey(_ text: String) {
    do throws(PublishableKeyError) {
      let key = try PublishableKey(text)
      require(key.issuer.path.isEmpty, "a publishable key names an origin")
      require(key.issuer.text.hasPrefix("https://") || key.environment == .sandbox, "a live key names an https origin")
    } catch {
      return
    }
  }

  private static func compareWithCurl(_ url: WebURL) {
    guard let handle = unsafe curl_url() else { return }
    defer { unsafe curl_url_cleanup(handle) }
    guard unsafe curl_url_set(handle, CURLUPART_URL, url.text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else { return }
    require(unsafe part(CURLUPART_SCHEME, handle) == url.scheme.rawValue, "libcurl sees the same scheme")
    let host = unsafe part(CURLUPART_HOST, handle)?.lowercased()
    // Of several spellings of an IPv6 address libcurl takes the shortest.
    require(host == url.host.lowercased() || host?.first == "[" && url.host.first == "[", "libcurl sees the same host")
    require(unsafe part(CURLUPART_PORT, handle) == url.port.map { "\($0)" }, "libcurl sees the same port")
    require(unsafe part(CURLUPART_QUERY, handle) ?? "" == url.query ?? "", "libcurl sees the same query")
    require(unsafe part(CURLUPART_USER, handle) == nil, "libcurl sees no user")
    require(unsafe part(CURLUPART_FRAGMENT, handle) == nil, "libcurl sees no fragment")
  }

  private static func part(_ part: CURLUPart, _ handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(validatingCString: text)
  }
}
