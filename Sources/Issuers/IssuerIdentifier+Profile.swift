import Exchange
import OAuth
import Vault

extension IssuerIdentifier {
  /// The identifier that a profile names, or ``Vault/IssuerError/configuration(_:)``.
  init(of profile: IssuerProfile) throws(IssuerError) {
    do throws(IssuerIdentifierError) {
      try self.init(profile.identifier, plainLoopback: profile.egress.plainLoopback)
    } catch {
      throw .configuration(error.description)
    }
  }
}
