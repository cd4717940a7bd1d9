import HTTPExchange
import Octets
import SignIn

/// Which pages of other origins may read an answer (CORS). No answer is for a request with cookies, and the authorization
/// endpoint is for no script (RFC 9700, 2.6).
enum CrossOrigin {
  /// Whose pages may read what an address answers.
  private enum Readers {
    /// Any page: what is there is public.
    case everybody
    /// Pages at an origin to which a relying party of the file has tokens sent.
    case registered
  }

  private static func readers(of path: String) -> Readers? {
    switch Route.plain(path) {
    case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
      "/v2/openid/keys", RegistrationEndpoint.path:
      .everybody
    case OpenIDEndpoint.tokenPath, "/v2/openid/userinfo", "/v2/openid/revoke": .registered
    default: nil
    }
  }

  /// The value of `Access-Control-Allow-Origin`; nil for a request of no other origin, and for one that may not read the answer.
  private static func allowed(_ request: WebRequest, in namespace: ServiceNamespace) -> String? {
    guard let origin = request.fields["Origin"], let readers = readers(of: request.path) else {
      return nil
    }
    guard case .registered = readers else { return "*" }
    let isRegistered = namespace.relyingParties.contains { party in
      party.returnAddresses.contains { $0.origin.description.hasSameBytes(as: origin) }
    }
    return isRegistered ? origin : nil
  }

  /// The answer to the question that a browser asks before a request (preflight); nil for any other request.
  static func preflight(
    _ request: WebRequest, in namespace: ServiceNamespace
  ) throws(TokenError) -> HTTPResponse? {
    guard request.method == "OPTIONS", request.fields["Access-Control-Request-Method"] != nil,
      allowed(request, in: namespace) != nil
    else { return nil }
    var response = HTTPResponse(status: 204)
    for (name, value) in [
      ("Access-Control-Allow-Methods", "GET, POST"),
      ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
      ("Access-Control-Max-Age", "600"),
    ] {
      try response.fields.append(name, value)
    }
    return response
  }

  /// Lets pages that may read the answer do so.
  static func opening(
    _ response: HTTPResponse, to request: WebRequest, in namespace: ServiceNamespace
  ) -> HTTPResponse {
    guard let readers = readers(of: request.path) else { return response }
    var response = response
    if case .registered = readers { try? response.fields.append("Vary", "Origin") }
    guard let origin = allowed(request, in: namespace) else { return response }
    try? response.fields.append("Access-Control-Allow-Origin", origin)
    try? response.fields.append("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
    return response
  }
}
