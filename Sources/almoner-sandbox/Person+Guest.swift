extension Person {
  /// Guests that there are: people whom no button shows, for tests that need a crowd.
  static let guests = 1...9999

  /// Whoever a sign-in form names: one of ``all``, or `guest-` and a number.
  static func choosable(_ handle: String) -> Person? {
    if let person = all.first(where: { $0.handle == handle }) { return person }
    guard handle.hasPrefix("guest-"), let number = Int(handle.dropFirst(6)), guests.contains(number) else { return nil }
    return handle == "guest-\(number)" ? guest(number) : nil
  }

  private static func guest(_ number: Int) -> Person {
    Person(
      handle: "guest-\(number)", name: "Guest \(number)", note: "one of many",
      subject: "guest-\(number)", email: "guest-\(number)@example.org", phone: "+442079460002",
      vendorData: "guest-\(number)", organization: "guests", isVerified: false, authenticationMethods: ["otp"])
  }
}
