// Reads a text from standard input and writes its QR code as lines of 0 and 1, for `almoner`: that program is linked fully
// static, and there is no static libqrencode to link.
import Glibc
import QRCode

var text = [UInt8]()
var chunk = [UInt8](repeating: 0, count: QRCode.maximumText + 1)
while text.count <= QRCode.maximumText {
  let count = unsafe read(0, &chunk, chunk.count)
  if count < 0, errno == EINTR { continue }
  guard count > 0 else { break }
  text += chunk[..<count]
}
guard let given = String(validating: text, as: UTF8.self), let code = QRCode(given) else { exit(1) }
let answer = Array(code.text.utf8)
var done = 0
while done < answer.count {
  let count = unsafe answer[done...].withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
  if count < 0, errno == EINTR { continue }
  guard count > 0 else { exit(1) }
  done += count
}
