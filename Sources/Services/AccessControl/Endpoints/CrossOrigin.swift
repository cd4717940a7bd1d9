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
  ///
  /// - Parameter others: Whether pages of clients that no file names may read it, too.
  private static func allowed(
    _ request: WebRequest, in namespace: ServiceNamespace, others: (HTTPOrigin) async -> Bool
  ) async -> String? {
    guard let origin = request.fields["Origin"], let readers = readers(of: request.path) else {
      return nil
    }
    guard case .registered = readers else { return "*" }
    if namespace.relyingParties.contains(where: { hasPage(at: origin, of: $0) }) { return origin }
    guard let url = try? HTTPURL(origin + "/"), url.origin.description.hasSameBytes(as: origin)
    else { return nil }
    return await others(url.origin) ? origin : nil
  }

  private static func hasPage(at origin: String, of party: RelyingParty) -> Bool {
    (party.origins + party.returnAddresses.map(\.origin)).contains {
      $0.description.hasSameBytes(as: origin)
    }
  }

  /// The answer to the question that a browser asks before a request (preflight); nil for any other request.
  ///
  /// The question names no client. Where clients may register themselves, each page may send its request, and only those of
  /// the client's own origins read the answer.
  static func preflight(
    _ request: WebRequest, to service: IssuingService
  ) async throws(TokenError) -> HTTPResponse? {
    guard request.method == "OPTIONS", request.fields["Access-Control-Request-Method"] != nil,
      let origin = await allowed(
        request, in: service.namespace, others: { _ in service.register != nil })
    else { return nil }
    var response = HTTPResponse(status: 204)
    for (name, value) in [
      ("Access-Control-Allow-Methods", "GET, POST"),
      ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
      ("Access-Control-Max-Age", "600"),
    ] {
      try response.fields.append(name, value)
    }
    return opened(response, request, for: origin)
  }

  /// Lets pages that may read the answer do so.
  static func opening(
    _ response: HTTPResponse, to request: WebRequest, of service: IssuingService
  ) async -> HTTPResponse {
    let origin = await allowed(request, in: service.namespace) { origin in
      guard service.register != nil, let id = RequestRecord.clientOrParty,
        let party = try? await service.party(id)
      else { return false }
      return hasPage(at: origin.description, of: party)
    }
    return opened(response, request, for: origin)
  }

  private static func opened(
    _ response: HTTPResponse, _ request: WebRequest, for origin: String?
  ) -> HTTPResponse {
    guard let readers = readers(of: request.path) else { return response }
    var response = response
    if case .registered = readers { try? response.fields.append("Vary", "Origin") }
    guard let origin else { return response }
    try? response.fields.append("Access-Control-Allow-Origin", origin)
    try? response.fields.append("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
    return response
  }
}
