import Secrets

extension SecretBox {
  /// The bytes in a box of their own. There is always room: every run gives back what it took.
  convenience init(fuzzed bytes: [UInt8]) {
    do {
      self.init(unsafe try SecretBytes(copying: bytes.span.bytes))
    } catch {
      preconditionFailure("the arena is full: an earlier run leaked")
    }
  }

  convenience init(fuzzed text: String) { self.init(fuzzed: Array(text.utf8)) }

  /// A copy outside of the arena, to compare.
  var revealed: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension SecretBytes {
  var revealed: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension WipedBuffer {
  var revealed: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  init(fuzzed bytes: [UInt8]) {
    self.init()
    unsafe append(bytes.span.bytes)
  }
}
