import HTTPServer
import JSON

/// The issuer's metadata (OpenID Connect Discovery §4).
enum DiscoveryRoute: Route {
  static let path = "/.well-known/openid-configuration"
  static let methods = ["GET"]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    published(request, issuer, .discoveryFetches) { state, writer in
      let origin = state.origin
      writer.member("issuer", origin)
      writer.member("authorization_endpoint", origin + SignInRoute.path)
      writer.member("token_endpoint", origin + TokenRoute.path)
      writer.member("jwks_uri", origin + KeysRoute.path)
      writer.member("scopes_supported", strings: ["openid", "email", "phone", "profile", "offline_access"])
      writer.member("response_types_supported", strings: ["code"])
      writer.member("response_modes_supported", strings: ["query"])
      writer.member("grant_types_supported", strings: ["authorization_code", "refresh_token"])
      writer.member("subject_types_supported", strings: ["public"])
      writer.member("id_token_signing_alg_values_supported", strings: ["ES256"])
      writer.member("token_endpoint_auth_methods_supported", strings: ["none"])
      writer.member("code_challenge_methods_supported", strings: ["S256"])
      writer.member("ui_locales_supported", strings: ["en", "es", "fr", "ja", "de"])
    }
  }
}

/// The issuer's keys (RFC 7517 §5).
enum KeysRoute: Route {
  static let path = "/.well-known/jwks.json"
  static let methods = ["GET"]

  static func answer(_ request: HTTPRequest, _ issuer: Issuer) -> HTTPResponse {
    let now = Moment.now.boot
    return published(request, issuer, .jwksFetches) { state, writer in
      writer.member(
        "keys",
        array: { writer in
          for key in state.keys.published(now: now) { writer.value(.object(key)) }
        })
    }
  }
}

/// A document that anybody may keep for five minutes.
private func published(
  _ request: HTTPRequest, _ issuer: Issuer, _ event: Counters.Event, _ body: (IssuerState, inout JSONWriter) -> Void
) -> HTTPResponse {
  let now = Moment.now.boot
  return issuer.with { state in
    state.counters.count(event)
    if let wait = state.discoveryRate.admit(request.peer?.address ?? [], now: now), state.limitsRates {
      state.counters.count(.rateLimited)
      return .tooMany(wait)
    }
    return .json(200, headers: [.init("Cache-Control", "max-age=300")]) { body(state, &$0) }
  }
}
