public import HTTPExchange
public import TokenBasics

/// An application registered at a server with the oPRO engine, which issues OAuth tokens of its own kind.
///
/// There is one grant for each user and application: every exchange, a password login included, replaces
/// the tokens of all the user's devices.
public struct OPROService: Sendable {
  /// The server's scheme, host and port.
  public let origin: HTTPOrigin
  let root: HTTPURL
  let clientID: String
  let clientSecret: Secret
  let tokenType: String

  /// An application at the server at that address.
  ///
  /// - Parameters:
  ///   - address: The server; only scheme, host and port are used.
  ///   - clientID: The identifier under which the application is registered.
  ///   - clientSecret: Its secret.
  ///   - tokenType: The `token_type` of the server's responses, `bearer` unless configured otherwise.
  /// - Throws: `client.parameter` for an empty id or secret; `transport.malformed-address`.
  public init(
    at address: HTTPURL, clientID: String, clientSecret: Secret, tokenType: String = "bearer"
  ) throws(TokenError) {
    guard !clientID.isEmpty, !clientSecret.revealed.isEmpty else {
      throw TokenError(.clientParameter, node: "client_id", expected: "an id and a secret")
    }
    root = try address.at(path: "/")
    origin = address.origin
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.tokenType = tokenType
  }

  /// The session of a user.
  ///
  /// - Parameters:
  ///   - tokens: The tokens that the server issued.
  ///   - subject: The user's identifier at the server, which the tokens do not contain.
  ///   - now: The clock, read once by the caller.
  ///   - lifetime: How long it lasts, used or not.
  public func session(
    _ tokens: OPROTokens, subject: String, now: Instant, lifetime: SessionLifetime = .unlimited
  ) -> Session {
    Session(
      principal: Principal(authority: origin.description, subject: subject),
      credential: Credential(.token, tokens.accessToken), refreshToken: tokens.refreshToken,
      expires: tokens.expires, signedInAt: now, lifetime: lifetime)
  }

  /// Renews with the refresh token and, if that is rejected, with `signIn`. New tokens are stored before they
  /// are used, since the old ones are no longer valid.
  public func renewal(
    over transport: any HTTPTransport, time: any TimeSource, signIn: Renewal.SignIn? = nil
  ) -> Renewal {
    Renewal(
      refresh: { session throws(TokenError) in
        guard let refreshToken = session.refreshToken else {
          throw TokenError(.sessionRenewalRefused, expected: "a refresh token")
        }
        let tokens = try await exchange(
          .refreshToken(refreshToken), over: transport, now: time.now)
        var renewed = session
        renewed.credential = Credential(.token, tokens.accessToken)
        renewed.refreshToken = tokens.refreshToken
        renewed.expires = tokens.expires
        return renewed
      }, signIn: signIn)
  }
}

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
