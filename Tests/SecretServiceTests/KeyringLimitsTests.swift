import SecretService
import Testing

@Suite struct KeyringLimitsTests {
  @Test func `D3 a person has two minutes for a prompt, and a call that asks nobody two seconds`() {
    #expect(Keyring.promptLimit == .seconds(120))
    #expect(Keyring.callLimit == .seconds(2))
  }
}
