import Exchange
import OAuth
import Vault

/// Pushes an authorization request to the issuer (RFC 9126), so that the browser carries no more than its name.
///
/// A name works once and not for long. Each attempt pushes its own just before the browser opens, and none is kept.
struct PushedRequest: Sendable {
  /// A name that lives shorter than this, in seconds, would be dead before a browser has started.
  static let shortestLife: Int64 = 5

  private let documents: PublishedDocuments

  init(_ documents: PublishedDocuments) { self.documents = documents }

  /// The parameter that stands for the whole request.
  func push(_ request: OutgoingRequest) async throws(IssuerError) -> Parameter {
    let answer = try await documents.answer(request, called: "answer to the pushed request")
    switch answer.status {
    case 200, 201: break
    case 400..<500 where answer.status != 429:
      let word = PushedAuthorizationResponse.error(answer.body) ?? "status \(answer.status)"
      throw .configuration("the issuer refused the pushed authorization request: \(word)")
    case let status: throw .temporary("the authorization request could not be pushed: status \(status)")
    }
    guard let response = PushedAuthorizationResponse(reading: answer.body) else {
      throw .temporary("the issuer's answer to the pushed authorization request is no use")
    }
    guard response.lifetime >= Self.shortestLife else {
      throw .temporary("the issuer gives the pushed authorization request too short a life")
    }
    return Parameter("request_uri", response.requestURI)
  }
}
