package import OAuth

/// Which client is to be registered where (RFC 7591), settled before anything is asked.
package struct RegistrationPlan: Sendable {
  /// The NAME of `[issuer NAME]` in the configuration that comes of it.
  package let group: String
  package let issuer: IssuerProfile
  package let client: ClientMetadata
  /// Where the caller will keep the client's secret; nil for a public client.
  package let secretFile: String?

  package init(group: String, issuer: IssuerProfile, client: ClientMetadata, secretFile: String?) {
    self.group = group
    self.issuer = issuer
    self.client = client
    self.secretFile = secretFile
  }
}
