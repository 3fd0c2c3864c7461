package import Exchange

/// What a courier tells the daemon, one message each.
package enum FromCourier: Sendable {
  /// It is confined, and holds the journal's lock if it has one.
  case ready(landlockVersion: UInt8)
  /// The server is connected and authenticated; not one byte of the request has left.
  case connected
  /// From now on something may have been sent.
  case departed
  /// The answer is durable on the pad.
  case landed
  /// The answer, where there is no journal.
  case answer(HTTPAnswer)
  /// It ended without an answer; nothing was sent.
  case notSent(String)
  /// It ended without an answer; something may have been sent.
  case unknown(String)
}
