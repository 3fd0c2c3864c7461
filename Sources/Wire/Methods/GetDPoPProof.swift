package import JSON
package import Secrets

extension Wire {
  /// Hands out an access token that is bound to a key, with a proof for one request (RFC 9449 §7.1).
  package enum GetDPoPProof: VarlinkMethod {
    package static let name = "GetDPoPProof"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .optional("account", .text(atMost: Limit.text)),
        .required("method", .text(atMost: Limit.word)),
        .required("url", .text(atMost: Limit.text)),
        .optional("nonce", .text(atMost: Limit.text)),
        .optional("minValid", .integer(Limit.minValid)),
        .optional("timeout", .integer(Limit.timeout)),
        .optional("scopes", .array(.text(atMost: Limit.listedText), atMost: Limit.list)),
        .optional("resource", .text(atMost: Limit.text)),
      ]

      /// The account's name, its id, or its issuer's URL; may be left out when there is one account.
      package let account: String?
      /// The HTTP method of the request.
      package let method: String
      /// Where it goes. Query and all, which the proof leaves out.
      package let url: String
      /// `DPoP-Nonce` of the resource's last answer, if it had one.
      package let nonce: String?
      /// Seconds of life asked for.
      package let minValid: Int64?
      /// Seconds to wait at most.
      package let timeout: Int64?
      /// As in ``GetAccessToken``.
      package let scopes: [String]?
      /// As in ``GetAccessToken``.
      package let resource: String?

      package init(
        account: String? = nil, method: String, url: String, nonce: String? = nil, minValid: Int64? = nil,
        timeout: Int64? = nil, scopes: [String]? = nil, resource: String? = nil
      ) {
        self.account = account
        self.method = method
        self.url = url
        self.nonce = nonce
        self.minValid = minValid
        self.timeout = timeout
        self.scopes = scopes
        self.resource = resource
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        account = try members.string(ifPresent: "account")
        method = try members.string("method")
        url = try members.string("url")
        nonce = try members.string(ifPresent: "nonce")
        minValid = try members.int(ifPresent: "minValid")
        timeout = try members.int(ifPresent: "timeout")
        scopes = try members.strings(ifPresent: "scopes")
        resource = try members.string(ifPresent: "resource")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("account", account)
        writer.member("method", method)
        writer.member("url", url)
        writer.member("nonce", nonce)
        writer.member("minValid", minValid)
        writer.member("timeout", timeout)
        writer.member("scopes", strings: scopes)
        writer.member("resource", resource)
      }
    }

    package struct Reply: WireStruct {
      package static let fields: [WireField] =
        GetAccessToken.Reply.fields + [.required("proof", .secret(atMost: maximumFrame))]

      /// For `Authorization: DPoP`.
      package let token: GetAccessToken.Reply
      /// For `DPoP`: good once, for this token and request.
      package let proof: SecretBox

      package init(_ token: GetAccessToken.Reply, proof: SecretBox) {
        self.token = token
        self.proof = proof
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        token = try GetAccessToken.Reply(members: members)
        proof = try members.secret("proof")
      }

      package func write(to writer: inout JSONWriter) {
        token.write(to: &writer)
        writer.member("proof", secret: proof)
      }
    }
  }
}
