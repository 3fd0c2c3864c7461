import HTTPServer

/// One address of the issuer. A new one is a file and a line in ``all``.
protocol Route {
  static var path: String { get }
  static var methods: [String] { get }
  /// Whose fates meet its answers.
  static var fated: Fate.Target? { get }
  /// Whether it is the one for this path. The one path unless said otherwise.
  static func serves(_ path: String) -> Bool
  static func answer(_ request: HTTPRequest, _ issuer: Issuer) throws -> HTTPResponse
}

extension Route {
  static var fated: Fate.Target? { nil }
  static func serves(_ path: String) -> Bool { path == Self.path }
}

enum Routes {
  static var all: [any Route.Type] {
    [
      SignInRoute.self, SecondFactorRoute.self, TokenRoute.self, SessionRoute.self, DiscoveryRoute.self, KeysRoute.self,
      StepUpRoute.self, StepUpStatusRoute.self, VerificationRoute.self, MonitoringRoute.self,
    ]
  }
}
