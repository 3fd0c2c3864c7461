/// The command line cannot be understood. The reason names the option, and its value only where a value is harmless.
struct UsageError: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
