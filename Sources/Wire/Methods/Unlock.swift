package import JSON
package import Secrets

extension Wire {
  /// Opens the stores again.
  package enum Unlock: VarlinkMethod {
    package static let name = "Unlock"

    package struct Parameters: WireStruct {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .optional("passphrase", .secret(atMost: Limit.passphrase)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// For sealed files; the keyring asks by itself.
      package let passphrase: SecretBox?

      package init(
        account: String? = nil, passphrase: SecretBox? = nil
      ) {
        self.account = account
        self.passphrase = passphrase
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        passphrase = try members.secret(ifPresent: "passphrase")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("passphrase", secret: passphrase)
      }
    }

    package typealias Reply = NoFields
  }
}
