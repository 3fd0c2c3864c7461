import CQRencode

/// A QR code (ISO/IEC 18004) as its modules, without the quiet zone around it. The door to libqrencode.
package struct QRCode: Equatable, Sendable {
  /// The most bytes of text: what an address may have.
  package static let maximumText = 2048

  /// Modules in a row, and rows: 21…177.
  package let size: Int
  /// Row by row from the top; true is dark.
  package let modules: [Bool]

  /// The smallest code that holds `text` as bytes, with error correction of level M; nil when it is empty, holds a NUL, or
  /// does not fit.
  package init?(_ text: String) {
    guard (1...Self.maximumText).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { unsafe QRcode_free(code) }
    size = unsafe Int(code.pointee.width)
    let bytes = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    // The lowest bit is the module; the others say what it is for.
    modules = unsafe bytes.map { $0 & 1 == 1 }
  }

  /// The rows as lines of `1` for dark and `0` for light.
  package var text: String {
    (0..<size).map { row in
      modules[row * size..<(row + 1) * size].map { $0 ? "1" : "0" }.joined() + "\n"
    }.joined()
  }
}
