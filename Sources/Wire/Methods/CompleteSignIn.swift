package import JSON
package import Secrets

extension Wire {
  /// Hands in the URL that the browser was redirected to.
  package enum CompleteSignIn: VarlinkMethod {
    package static let name = "CompleteSignIn"

    package struct Parameters: WireStruct {
      package static let fields: [WireField] = [
        .optional("attempt", .text(atMost: Limit.text)),
        .required("redirectedUrl", .secret(atMost: Limit.redirectedURL)),
      ]

      /// Nil: the one whose `state` the URL has.
      package let attempt: String?
      /// It holds the code.
      package let redirectedUrl: SecretBox

      package init(
        attempt: String?, redirectedUrl: SecretBox
      ) {
        self.attempt = attempt
        self.redirectedUrl = redirectedUrl
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        attempt = try members.string(ifPresent: "attempt")
        redirectedUrl = try members.secret("redirectedUrl")
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("attempt", attempt)
        writer.member("redirectedUrl", secret: redirectedUrl)
      }
    }

    package typealias Reply = NoFields
  }
}
