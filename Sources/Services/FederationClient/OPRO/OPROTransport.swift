public import HTTPExchange
import Octets
public import TokenErrors

/// Maps an oPRO server's rejections to statuses; used below the ``AuthorizedTransport``.
///
/// The engine rejects nothing itself: with a bad token the request is unauthenticated, and the application
/// redirects to its login page. That redirect becomes a 401. A rate limit, which has status 401, does not.
public struct OPROTransport: HTTPTransport {
  private let transport: any HTTPTransport

  /// Wraps `transport`, which sends the requests.
  public init(_ transport: any HTTPTransport) { self.transport = transport }

  /// The response, with status 401 in place of a redirect to the login page.
  /// - Throws: `client.rate-limited`, and errors of the transport.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    var request = request
    if request.fields["Accept"] == nil { try request.fields.set("Accept", "application/json") }
    var answer = try await transport.response(to: request)
    if answer.status == 302, let location = answer.fields["Location"],
      Self.isLoginPage(location, request.url)
    {
      answer.status = 401
    }
    if answer.status == 401, let json = try? JSONAnswer.read(answer),
      OPRORefusal.isRateLimit(json)
    {
      throw TokenError(.clientRateLimited, node: request.url.path)
    }
    return answer
  }

  /// Whether the address is `/users/sign_in` of the same server; any other redirect is returned unchanged.
  private static func isLoginPage(_ location: String, _ from: HTTPURL) -> Bool {
    let target = location.hasPrefix("/") ? try? from.at(path: location) : try? HTTPURL(location)
    return target?.origin == from.origin && target?.path == "/users/sign_in"
  }
}
