import Time

/// A refresh token that was sent, and nobody knows what became of it.
struct Unresolved: Equatable, Sendable {
  /// How often it was sent.
  let sends: UInt32
  let times: UnknownSends
}

extension SendingIntent {
  /// What is unknown when this flight departed.
  var unresolved: Unresolved {
    Unresolved(sends: sends, times: UnknownSends(first: earlier?.first ?? moment, last: moment))
  }

  /// What is unknown when this flight did nothing: what was so before it. When that was is not known of a journal that an
  /// earlier version wrote; it counts as now.
  var unresolvedBefore: Unresolved? {
    guard earlier != nil || sends > 1 else { return nil }
    return Unresolved(sends: max(1, sends) - 1, times: earlier ?? UnknownSends(first: moment, last: moment))
  }
}
