/// Why an exchange brought no answer. The text is ours or libcurl's own table of errors; nothing a peer sent is in it.
package enum ExchangeFailure: Error, Equatable, Sendable {
  /// It ended before the first byte of the request: nothing was sent.
  case notSent(String)
  /// The request, or part of it, may have arrived.
  case unknown(String)
}
