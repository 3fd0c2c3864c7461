import CCurl
package import Exchange
import Glibc
import Secrets
import Time

/// One HTTP exchange: HTTP/1.1 on a connection of its own, no redirect followed, nothing kept.
package enum HTTPExchange {
  /// Resolves, connects, does TLS, asks `beforeFirstByte`, sends, and returns whatever answer came.
  ///
  /// `beforeFirstByte` runs when the server is connected and authenticated and not one byte of the request has left; it
  /// may wait, and calls the exchange off by returning false. Throws ``ExchangeFailure``: `.notSent` for everything
  /// before it returned true, `.unknown` after. A longer body than ``HTTPAnswer/maximumBody`` is cut and marked.
  package static func perform(
    _ request: OutgoingRequest, _ environment: ExchangeEnvironment, beforeFirstByte: @escaping () -> Bool
  ) throws(ExchangeFailure) -> HTTPAnswer {
    let url = try RequestURL(request)
    let headers = try HeaderList(request)
    var easy = try EasyHandle()
    try easy.prepare(request, url, headers, environment.limits)
    var outcome = Outcome(code: CURLE_OK, isCut: false)
    let body: SecretBytes
    do {
      body = unsafe try SecretBytes(capacity: HTTPAnswer.maximumBody) { room in
        let state = unsafe ExchangeState(url, environment, room: room, beforeFirstByte: beforeFirstByte)
        easy.setCallbacks(state)
        outcome = try run(easy, state)
        return state.bodyCount
      }
    } catch let failure as ExchangeFailure {
      throw failure
    } catch {
      // Only the shrinking of the body can still fail here, after sending.
      throw outcome.code == CURLE_OK && easy.number(CURLINFO_RESPONSE_CODE) == 0
        ? .notSent("no secret memory") : .unknown("no secret memory for the answer")
    }
    return answer(easy, body, outcome, environment.receipt())
  }

  private struct Outcome {
    let code: CURLcode
    let isCut: Bool
  }

  private static func run(
    _ easy: borrowing EasyHandle, _ state: ExchangeState
  ) throws(ExchangeFailure) -> Outcome {
    let code = withExtendedLifetime(state) { easy.perform() }
    if code == CURLE_OK { return Outcome(code: code, isCut: false) }
    if code == CURLE_WRITE_ERROR, state.isBodyCut { return Outcome(code: code, isCut: true) }
    switch state.phase {
    case .connecting: throw .notSent(reason(code, easy))
    case .calledOff(let why): throw .notSent(why)
    case .sending:
      throw .unknown(state.hasTooManyHeaders ? "the answer has too many header fields" : reason(code, easy))
    }
  }

  private static func reason(_ code: CURLcode, _ easy: borrowing EasyHandle) -> String {
    let text = EasyHandle.text(code)
    if code == CURLE_PEER_FAILED_VERIFICATION {
      return "\(text) (certificate check \(easy.number(CURLINFO_SSL_VERIFYRESULT)))"
    }
    let cause = easy.number(CURLINFO_OS_ERRNO)
    return cause == 0 ? text : "\(text) (errno \(cause))"
  }

  private static func answer(
    _ easy: borrowing EasyHandle, _ body: consuming SecretBytes, _ outcome: Outcome, _ receipt: Receipt
  ) -> HTTPAnswer {
    let date = easy.header("Date").flatMap(HTTPDate.parse)
    return HTTPAnswer(
      status: easy.number(CURLINFO_RESPONSE_CODE), date: date,
      retryAfter: easy.header("Retry-After").flatMap { RetryAfter.seconds($0, date ?? receipt.wall) },
      dpopNonce: easy.header("DPoP-Nonce").flatMap { DPoPNonce.isSound($0) ? $0 : nil },
      contentType: easy.header("Content-Type").map(MediaType.essence) ?? "", body: SecretBox(body),
      isTruncated: outcome.isCut, receivedAt: receipt.at, receivedBoot: receipt.boot, receivedWall: receipt.wall)
  }
}
