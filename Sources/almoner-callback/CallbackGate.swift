import Exchange
import HTTPServer
import Secrets

/// What a request must be before the daemon hears of it.
struct CallbackGate {
  enum Decision {
    /// Not for us; nothing was changed by it.
    case refuse(status: Int)
    /// One of the pages that a redirect leads to.
    case page(Page)
    /// A browser coming back.
    case hit(SecretBox)
  }

  /// The only `Host` that is answered: with another name the request comes from a page that had its name rebound to us.
  let authority: String
  let path: String
  let uid: UInt32

  init(_ listen: CallbackFrame.Listen, port: UInt16) {
    path = listen.path
    uid = listen.uid
    guard listen.anyPort else {
      authority = listen.authority
      return
    }
    let colon = listen.authority.hasSuffix("]") ? nil : listen.authority.lastIndex(of: ":")
    authority = "\(listen.authority[..<(colon ?? listen.authority.endIndex)]):\(port)"
  }

  /// Decides on a request whose sender's uid is `owner`.
  func decide(_ request: HTTPRequest, owner: UInt32?) -> Decision {
    guard owner == uid else { return .refuse(status: 403) }
    let hosts = request.values(of: "host")
    guard hosts.count == 1 else { return .refuse(status: 400) }
    guard hosts[0] == authority else { return .refuse(status: 421) }
    guard request.method == "GET" else { return .refuse(status: 405) }
    if let page = Page.allCases.first(where: { $0.path(under: path) == request.path }) { return .page(page) }
    guard request.path == path else { return .refuse(status: 404) }
    guard isNavigation(request) else { return .refuse(status: 403) }
    guard let query = request.query, query.count > 0 else { return .page(.closed) }
    guard query.count <= CallbackFrame.maximumQuery else { return .refuse(status: 414) }
    return .hit(query)
  }

  /// Whether a person's tab goes there: no prefetch, and no picture, frame or script of another page (Fetch Metadata).
  private func isNavigation(_ request: HTTPRequest) -> Bool {
    let purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].flatMap { request.values(of: $0) }
    return purposes.isEmpty
      && request.values(of: "sec-fetch-mode").allSatisfy { $0 == "navigate" }
      && request.values(of: "sec-fetch-dest").allSatisfy { $0 == "document" }
  }
}
