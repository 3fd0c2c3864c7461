/// The limits of one exchange. The body's is ``HTTPAnswer/maximumBody``.
package struct ExchangeLimits: Sendable {
  /// Milliseconds for name, connection and TLS together.
  package var connecting = 10_000
  /// Milliseconds for everything, from the first look-up of a name to the last byte.
  package var total = 30_000
  /// Header lines of an answer, those of interim (1xx) answers and trailers included.
  package var headerLines = 100
  /// Bytes of all header lines.
  package var headerBytes = 32 << 10

  package init() {}
}
