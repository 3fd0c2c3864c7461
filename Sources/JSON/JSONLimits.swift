/// How much a reader accepts. What passes a limit is refused before memory is taken for it.
package struct JSONLimits: Equatable, Sendable {
  /// The most bytes of one text.
  package var bytes: Int
  /// The most arrays and objects inside one another.
  package var depth: Int
  /// The most bytes of one string or member name, after unescaping.
  package var stringBytes: Int
  /// The most members of one object.
  package var members: Int
  /// The most elements of one array.
  package var elements: Int

  package init(
    bytes: Int = 64 << 10, depth: Int = 8, stringBytes: Int = 48 << 10, members: Int = 128, elements: Int = 1024
  ) {
    precondition(depth <= 128, "the reader calls itself once a level")
    self.bytes = bytes
    self.depth = depth
    self.stringBytes = stringBytes
    self.members = members
    self.elements = elements
  }
}
