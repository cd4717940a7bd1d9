public import HTTPExchange
public import TokenBasics

/// A session on a Bluesky server.
public struct BlueskySession: Sendable {
  /// The account's decentralized identifier, such as `did:plc:…`. Opaque.
  public let did: String
  /// The account's handle, such as `name.bsky.social`.
  public let handle: String
  /// The token for requests (`accessJwt`).
  public let accessToken: Secret
  /// Valid once (`refreshJwt`): ``renewed(server:over:now:)`` returns the next one. Store that one first.
  public let refreshToken: Secret

  /// A session that was stored.
  public init(did: String, handle: String, accessToken: Secret, refreshToken: Secret) {
    self.did = did
    self.handle = handle
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }

  /// Signs in with an app password (`com.atproto.server.createSession`).
  ///
  /// - Throws: `feed.credentials` for a wrong name or password, `feed.permission` when a second factor
  ///   is required, `feed.blocked`, `feed.rate-limited` with the time at which it ends,
  ///   `feed.unavailable`; `transport.*`, `input.json-*`.
  public static func signIn(
    server: HTTPURL, identifier: String, appPassword: Secret, over transport: any HTTPTransport,
    now: Instant = SystemTime().now
  ) async throws(TokenError) -> Self {
    var json = JSONWriter()
    json.object { json in
      json.member("identifier", identifier)
      json.member("password", appPassword.revealed)
    }
    let request = HTTPRequest(
      .post, try server.appending(["xrpc", "com.atproto.server.createSession"]),
      fields: try HTTPFields([("Content-Type", "application/json")]), body: json.bytes)
    return try read(
      try await transport.response(to: request), hiding: appPassword, wrong: .feedCredentials, now)
  }

  /// The next session (`com.atproto.server.refreshSession`); this one is no longer valid.
  ///
  /// - Throws: `feed.token-expired` when the refresh token has expired too; as
  ///   ``signIn(server:identifier:appPassword:over:now:)``.
  public func renewed(
    server: HTTPURL, over transport: any HTTPTransport, now: Instant = SystemTime().now
  ) async throws(TokenError) -> Self {
    let request = HTTPRequest(
      .post, try server.appending(["xrpc", "com.atproto.server.refreshSession"]),
      fields: try HTTPFields([("Authorization", "Bearer " + refreshToken.revealed)]))
    return try Self.read(
      try await transport.response(to: request), hiding: refreshToken, wrong: .feedTokenExpired, now
    )
  }

  /// - Parameter wrong: The code for a 401.
  private static func read(
    _ response: HTTPResponse, hiding secret: Secret, wrong: TokenError.Code, _ now: Instant
  ) throws(TokenError) -> Self {
    guard response.isSuccess else { throw refusal(response, hiding: secret, wrong, now) }
    let json = try JSONAnswer.read(response)
    return Self(
      did: try JSONAnswer.string("did", in: json),
      handle: try JSONAnswer.string("handle", in: json),
      accessToken: Secret(try JSONAnswer.string("accessJwt", in: json)),
      refreshToken: Secret(try JSONAnswer.string("refreshJwt", in: json)))
  }

  private static func refusal(
    _ response: HTTPResponse, hiding secret: Secret, _ wrong: TokenError.Code, _ now: Instant
  ) -> TokenError {
    let reader = FeedAnswer("bluesky", hiding: [secret])
    let body = reader.body(response)
    let error = body?["error"]?.string
    var expected: String?
    let code: TokenError.Code
    switch (response.status, error) {
    case (_, "AuthFactorTokenRequired"): code = .feedPermission
    case (_, "AccountTakedown"), (_, "AccountDeactivated"), (_, "AccountSuspended"):
      code = .feedBlocked
    case (_, "ExpiredToken"), (_, "InvalidToken"): code = .feedTokenExpired
    case (429, _), (_, "RateLimitExceeded"):
      code = .feedRateLimited
      let end =
        RateLimitReset.epoch("ratelimit-reset", response, now)
        ?? RateLimitReset.retryAfter(response, now)
      expected = end.map { "no request before \($0.rfc3339)" }
    case (401, _): code = wrong
    case (500..., _): code = .feedUnavailable
    default: code = .transportStatus
    }
    let words = [error, body?["message"]?.string].compactMap(\.self).joined(separator: ": ")
    return TokenError(
      code, node: "bluesky", expected: expected,
      found: words.isEmpty ? "status \(response.status)" : reader.redaction.excerpt(words))
  }
}
