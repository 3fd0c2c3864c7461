import Secrets

extension SecretBox {
  /// Runs `body` on the bytes, where they lie.
  func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    var result: Result<R, E>?
    unsafe withUnsafeBytes { bytes in
      let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
      do throws(E) {
        result = .success(try body(span))
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("the secret did not run the body") }
    return try result.get()
  }
}
