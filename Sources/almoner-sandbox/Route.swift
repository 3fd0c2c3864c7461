import HTTPServer

/// One address of the issuer. A new one is a file and a line in ``all``.
protocol Route {
  static var path: String { get }
  static var methods: [String] { get }
  /// Whose fates meet its answers.
  static var fated: Fate.Target? { get }
  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse
}

extension Route {
  static var fated: Fate.Target? { nil }
}

enum Routes {
  static var all: [any Route.Type] {
    [
      SignInRoute.self, TokenRoute.self, SessionRoute.self, DiscoveryRoute.self, KeysRoute.self,
    ]
  }
}
