public import HTTPExchange
import StrictJSON
public import TokenErrors

/// Makes an oPRO server's refusals plain, below the ``AuthorizedTransport``.
///
/// The engine refuses nothing itself: with a bad token nobody is signed in, and the application sends
/// browsers to its login page. That redirect is a 401 here. A rate limit, which comes as 401, is not.
public struct OPROTransport: HTTPTransport {
  private let transport: any HTTPTransport

  /// A transport over another one.
  public init(_ transport: any HTTPTransport) { self.transport = transport }

  /// - Throws: `client.rate-limited`, and what the transport throws.
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

  /// `/users/sign_in` of the same server; elsewhere it is somebody's own redirect.
  private static func isLoginPage(_ location: String, _ from: HTTPURL) -> Bool {
    let target = location.hasPrefix("/") ? try? from.at(path: location) : try? HTTPURL(location)
    return target?.origin == from.origin && target?.path == "/users/sign_in"
  }
}
