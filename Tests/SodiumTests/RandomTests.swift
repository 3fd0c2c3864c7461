import Secrets
import Sodium
import Testing

struct RandomTests {
  init() throws { try Sodium.start() }

  @Test func `two secrets differ`() throws {
    let one = try Random.secret(count: 32)
    let other = try Random.secret(count: 32)
    #expect(revealed(one) != revealed(other))
  }

  @Test func `as many bytes come as were asked for`() {
    #expect(Random.bytes(24).count == 24)
    #expect(Random.bytes(0).isEmpty)
  }
}
