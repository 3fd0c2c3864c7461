package import OAuth

/// What came of a registration: the client as the issuer has it, and what was asked for.
package struct ClientRegistration: Sendable {
  package let client: RegisteredClient
  package let asked: ClientMetadata

  package init(client: RegisteredClient, asked: ClientMetadata) {
    self.client = client
    self.asked = asked
  }
}
