public import HTTPExchange
import StrictJSON
public import TokenErrors

/// A session on a Bluesky server.
public struct BlueskySession: Sendable {
  /// The account, such as `did:plc:…`. Opaque.
  public let did: String
  public let handle: String
  public let accessToken: Secret
  /// Works once: ``renewed(server:over:)`` brings the next one. Store it before anything else.
  public let refreshToken: Secret

  public init(did: String, handle: String, accessToken: Secret, refreshToken: Secret) {
    self.did = did
    self.handle = handle
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }

  /// Signs in with an app password (`com.atproto.server.createSession`).
  ///
  /// - Throws: `feed.token-expired` for a wrong name or password, `feed.permission` when a second factor
  ///   is asked for, `feed.blocked`, `feed.rate-limited`; `transport.*`, `input.json-*`.
  public static func signIn(
    server: HTTPURL, identifier: String, appPassword: Secret, over transport: any HTTPTransport
  ) async throws(TokenError) -> Self {
    var json = JSONWriter()
    json.object { json in
      json.member("identifier", identifier)
      json.member("password", appPassword.revealed)
    }
    let request = HTTPRequest(
      .post, try server.appending(["xrpc", "com.atproto.server.createSession"]),
      fields: try HTTPFields([("Content-Type", "application/json")]), body: json.bytes)
    return try read(try await transport.response(to: request))
  }

  /// The next session (`com.atproto.server.refreshSession`); this one is dead afterwards.
  ///
  /// - Throws: `feed.token-expired` when the refresh token is dead too; as ``signIn(server:identifier:appPassword:over:)``.
  public func renewed(
    server: HTTPURL, over transport: any HTTPTransport
  ) async throws(TokenError) -> Self {
    let request = HTTPRequest(
      .post, try server.appending(["xrpc", "com.atproto.server.refreshSession"]),
      fields: try HTTPFields([("Authorization", "Bearer " + refreshToken.revealed)]))
    return try Self.read(try await transport.response(to: request))
  }

  private static func read(_ response: HTTPResponse) throws(TokenError) -> Self {
    guard response.isSuccess else { throw refusal(response) }
    let json = try JSONAnswer.read(response)
    return Self(
      did: try JSONAnswer.string("did", in: json),
      handle: try JSONAnswer.string("handle", in: json),
      accessToken: Secret(try JSONAnswer.string("accessJwt", in: json)),
      refreshToken: Secret(try JSONAnswer.string("refreshJwt", in: json)))
  }

  private static func refusal(_ response: HTTPResponse) -> TokenError {
    let error = (try? JSONAnswer.read(response))?["error"]?.string
    let code: TokenError.Code =
      switch (response.status, error) {
      case (_, "AuthFactorTokenRequired"): .feedPermission
      case (_, "AccountTakedown"), (_, "AccountDeactivated"), (_, "AccountSuspended"): .feedBlocked
      case (_, "ExpiredToken"), (_, "InvalidToken"), (401, _): .feedTokenExpired
      case (429, _): .feedRateLimited
      default: .transportStatus
      }
    return TokenError(
      code, node: "bluesky", found: error.map(TokenError.excerpt) ?? "status \(response.status)")
  }
}
