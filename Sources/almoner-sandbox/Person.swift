/// One of the people who can sign in. They are made up.
struct Person: Equatable, Sendable {
  /// How the page and `--auto` name them.
  let handle: String
  let name: String
  /// What the page says about them.
  let note: String
  let subject: String
  let email: String
  let phone: String
  let vendorData: String
  let organization: String
  let isVerified: Bool
  let authenticationMethods: [String]

  static let all = [
    Person(
      handle: "ada", name: "Ada Lovelace", note: "verified, signs in with a passkey",
      subject: "5d1f6f0e-3c1b-4a57-9d0a-1b8f0a6c2e11", email: "ada@example.org", phone: "+442079460001",
      vendorData: "customer-1815", organization: "analytical-engines", isVerified: true,
      authenticationMethods: ["passkey", "mfa"]),
    Person(
      handle: "grace", name: "Grace Hopper", note: "not verified, signs in with a code",
      subject: "c2a7f3b4-8e55-4f0c-a6d3-7e9b4d5f6a22", email: "grace@example.org", phone: "+12025550106",
      vendorData: "customer-1906", organization: "compilers", isVerified: false, authenticationMethods: ["otp"]),
  ]

  /// Whoever has this handle.
  static func named(_ handle: String) throws(UsageError) -> Person {
    guard let person = all.first(where: { $0.handle == handle.lowercased() }) else {
      throw UsageError("there is only " + all.map(\.handle).joined(separator: " and "))
    }
    return person
  }
}
