import JOSE
import Testing

struct HMACSHA1Tests {
  @Test func `RFC 2202 - the first two test cases`() throws {
    let first = try HMACSHA1.digest(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
    #expect(hex(first) == "b617318655057264e28bc0b6fb378c8ef146be00")
    let second = try HMACSHA1.digest(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(hex(second) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
