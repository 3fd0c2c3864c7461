import Glibc

/// Something that reads bytes of a stranger, and what has to hold whatever they are.
struct FuzzTarget: Sendable {
  let name: String
  /// Reads the bytes; ``require(_:_:)`` ends the process when something does not hold, and libFuzzer keeps the bytes.
  let run: @Sendable ([UInt8]) -> Void

  /// A new target is a file, a line here, and a directory of seeds in `Corpus`.
  static let all = [json, frames, callback, token, record, journal, config, address, signature, documents]

  /// What ALMONER_FUZZ_TARGET names: in the environment, because all arguments are libFuzzer's own (`-help=1`).
  static let chosen = {
    let name = unsafe getenv("ALMONER_FUZZ_TARGET").map { unsafe String(cString: $0) }
    guard let target = all.first(where: { $0.name == name }) else {
      print("ALMONER_FUZZ_TARGET has to be one of: \(all.map(\.name).joined(separator: " "))")
      exit(2)
    }
    return target
  }()
}

/// Ends the process unless `claim` holds.
func require(_ claim: Bool, _ what: StaticString) {
  if claim { return }
  print("does not hold: \(what)")
  fflush(nil)
  abort()
}

/// libFuzzer, whose `main` it is, calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.run(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
