public import HTTPExchange
public import Instants
public import TokenErrors

/// The tokens of an account on X, and their renewal.
public struct XTokens: Sendable {
  /// The token for requests.
  public let accessToken: Secret
  /// Valid once: a renewal returns the next one. Store it before the access token is used.
  public let refreshToken: Secret?
  /// When the access token expires; nil if the response has no `expires_in`.
  public let expires: Instant?

  /// New tokens for a refresh token (`POST {api}/oauth2/token`).
  ///
  /// - Throws: `feed.token-expired` when the refresh token is rejected; `transport.*`, `input.json-*`.
  public static func renewed(
    api: HTTPURL, clientID: String, refreshToken: Secret, over transport: any HTTPTransport,
    now: Instant
  ) async throws(TokenError) -> Self {
    let response = try await transport.response(
      to: .form(
        [
          ("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed),
          ("client_id", clientID),
        ], to: try api.appending(["oauth2", "token"]), fields: []))
    guard response.isSuccess else {
      throw TokenError(
        [400, 401].contains(response.status) ? .feedTokenExpired : .transportStatus, node: "x",
        found: "status \(response.status)")
    }
    let tokens = try BearerTokens(try JSONAnswer.read(response))
    return Self(
      accessToken: tokens.accessToken, refreshToken: tokens.refreshToken,
      expires: tokens.lifetime.map { now.advanced(bySeconds: $0) })
  }
}
