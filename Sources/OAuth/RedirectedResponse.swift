package import Secrets

/// An authorization response together with where the browser came to, when it was not our listener that saw it.
package struct RedirectedResponse: Sendable {
  package let response: AuthorizationResponse
  private let destination: WebURL

  /// Reads a URL as ``AuthorizationResponse/init(pasted:redirect:maximumCode:)`` does, and leaves open where it leads.
  package init(_ pasted: SecretBox) throws(AuthorizationResponseError) {
    let (destination, query) = try AuthorizationResponse.split(pasted)
    self.destination = destination
    response = try AuthorizationResponse(query: query)
  }

  /// Whether it came to this redirect URI.
  package func leads(to redirect: RedirectURI) -> Bool { destination.hasSameDestination(as: redirect.url) }
}
