/// How long one varlink message may be, its NUL not counted.
package enum FrameLimit {
  /// Bytes of a request.
  package static let request = 64 << 10
  /// Bytes of a reply. More than a request, because it may list everything.
  package static let reply = 1 << 20
}
