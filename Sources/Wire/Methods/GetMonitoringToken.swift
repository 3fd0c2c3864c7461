package import JSON
package import Secrets

extension Wire {
  /// Hands out a device credential, at an issuer that has such.
  package enum GetMonitoringToken: VarlinkMethod {
    package static let name = "GetMonitoringToken"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text))
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?

      package init(account: String? = nil) { self.account = account }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
      }

      package func write(to writer: inout JSONWriter) { writer.member("account", account) }
    }

    package struct Reply: WireStruct {
      package static let fields: [WireField] = [
        .required("monitoringToken", .secret(atMost: maximumFrame)),
        .required("account", .string),
        .required("issuer", .string),
        .required("expiresIn", .int),
      ]

      package let monitoringToken: SecretBox
      /// The account's name.
      package let account: String
      package let issuer: String
      /// Seconds of life left.
      package let expiresIn: Int64

      package init(monitoringToken: SecretBox, account: String, issuer: String, expiresIn: Int64) {
        self.monitoringToken = monitoringToken
        self.account = account
        self.issuer = issuer
        self.expiresIn = expiresIn
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        monitoringToken = try members.secret("monitoringToken")
        account = try members.string("account")
        issuer = try members.string("issuer")
        expiresIn = try members.int("expiresIn")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("monitoringToken", secret: monitoringToken)
        writer.member("account", account)
        writer.member("issuer", issuer)
        writer.member("expiresIn", expiresIn)
      }
    }
  }
}
