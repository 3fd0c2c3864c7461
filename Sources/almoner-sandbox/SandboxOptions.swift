/// The command line.
struct SandboxOptions {
  static let usage = """
    usage: almoner-sandbox [options]

    An issuer for trying and testing: Didit's hosted sign-in on a loopback address. Prints one line of JSON when it is
    ready and runs until it is stopped. Everything it knows is made up and forgotten when it ends.

      --port PORT             listen on 127.0.0.1:PORT (default 0: any free port)
      --redirect-uri URI      register a redirect; repeatable (default \(RegisteredRedirect.standard))
      --access-lifetime SEC   lifetime of access tokens, 1 to 300 seconds (default 300)
      --grace POLICY          what a spent refresh token may still do: none (default), a number of seconds, until-used
      --auto NAME             sign in ada or grace without showing a page
      --second-factor         ask everybody for a code or a passkey; be http://localhost:PORT, which passkeys need
      --no-rate-limits        count requests, refuse none
      --exit-with-parent      end when the process that started it ends
      --help                  print this

    """

  var port: UInt16 = 0
  var redirects: [RegisteredRedirect] = []
  var accessLifetime = 300
  var grace = Grace.none
  var auto: Person?
  var asksSecondFactor = false
  var limitsRates = true
  var exitsWithParent = false
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": wantsHelp = true
      case "--second-factor": asksSecondFactor = true
      case "--no-rate-limits": limitsRates = false
      case "--exit-with-parent": exitsWithParent = true
      case "--port": port = UInt16(try Self.number(option, &rest, 0...65535))
      case "--access-lifetime": accessLifetime = try Self.number(option, &rest, 1...300)
      case "--redirect-uri": redirects.append(try RegisteredRedirect(try Self.value(option, &rest)))
      case "--grace": grace = try Grace(try Self.value(option, &rest))
      case "--auto": auto = try Person.named(try Self.value(option, &rest))
      default: throw UsageError("unknown option \(option)")
      }
    }
    guard auto == nil || !asksSecondFactor else { throw UsageError("--auto shows no page to ask for a second factor") }
    if redirects.isEmpty { redirects = [try RegisteredRedirect(RegisteredRedirect.standard)] }
  }

  private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
    return value
  }

  private static func number(
    _ option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(try value(option, &rest)), range.contains(number) else {
      throw UsageError("\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
