public import Federation
public import HTTPExchange
import JSONWebTokens
import Octets
import TokenBasics

extension OpenIDRelyingParty {
  /// Exchanges a refresh token for new tokens (OpenID Connect Core 1.0, 12).
  ///
  /// `signin.refused` with `invalid_grant` says that the session at the provider has ended. Two refreshes at
  /// once with one token can end it too, so a service makes one at a time for a session.
  ///
  /// - Parameters:
  ///   - token: The refresh token.
  ///   - principal: Who signed in. A new ID token about anyone else is refused (12.2).
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.*`, `transport.*`, `registry.*`, and the codes of tokens.
  public func refresh(
    _ token: Secret, of principal: FederatedPrincipal, at now: Instant
  ) async throws(TokenError) -> OpenIDTokens {
    guard principal.issuer.hasSameBytes(as: issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(issuer),
        found: TokenError.excerpt(principal.issuer))
    }
    let found = try await provider.configuration(at: now)
    let answer = try await tokens(
      for: [("grant_type", "refresh_token"), ("refresh_token", token.revealed)], found, at: now)
    var idToken: Secret?
    if let text = answer.idToken {
      let verified = try await verified(text, of: principal, answer, at: now)
      idToken = Secret(String(decoding: verified.token.octets, as: UTF8.self))
    }
    return OpenIDTokens(
      accessToken: answer.accessToken,
      accessTokenEnd: answer.lifetime.map { now.advanced(bySeconds: $0) },
      refreshToken: answer.refreshToken ?? token, idToken: idToken)
  }

  /// Reads the claims of a principal anew: those of a new ID token, and of UserInfo where it is read. Without a new ID
  /// token the claims of the last one stay.
  ///
  /// - Parameters:
  ///   - principal: Who signed in.
  ///   - idToken: The ID token of the sign-in, with whose audience and time of authentication a new one is compared.
  ///   - token: The refresh token.
  ///   - keep: Stores the refresh token that takes its place, before anything else is done: the old one may be void.
  ///   - now: The clock, read once by the caller.
  /// - Throws: As ``refresh(_:of:at:)``, and errors of UserInfo.
  func renew(
    _ principal: FederatedPrincipal, idToken: Secret?, by token: Secret,
    keeping keep: @Sendable (Secret) async throws(TokenError) -> Void, at now: Instant
  ) async throws(TokenError) -> FederatedPrincipal {
    let found = try await provider.configuration(at: now)
    let answer = try await tokens(
      for: [("grant_type", "refresh_token"), ("refresh_token", token.revealed)], found, at: now)
    if let next = answer.refreshToken { try await keep(next) }
    var signed = principal.claims.filter { $0.properties[OpenIDSignIn.sourceProperty] == nil }
    var projection = ClaimProjection.all
    var warnings = principal.warnings
    var isEmailDropped = false
    if let text = answer.idToken {
      let verified = try await verified(text, of: principal, answer, at: now)
      try Self.check(verified, follows: idToken)
      projection = verified.projection
      let before = signed
      (signed, isEmailDropped) = counted(Array(verified.claims), projection)
      signed += Self.authentication(in: before, besides: signed)
      warnings = verified.warnings
    }
    let added = try await userInfo(
      answer, of: principal.subject, beside: ClaimSet(signed), projection, found,
      at: now)
    if isEmailDropped || added.isEmailDropped, !warnings.contains(CountedEmail.warning) {
      warnings.append(CountedEmail.warning)
    }
    return FederatedPrincipal(
      issuer: principal.issuer, subject: principal.subject,
      claims: ClaimSet(CountedEmail.joined(signed, added.claims)), format: principal.format,
      issuerSession: principal.issuerSession, warnings: warnings,
      keptTypes: answer.idToken == nil ? principal.keptTypes : nil)
  }

  /// When and how the person signed in, where a new ID token does not say so: that has not changed (OpenID Connect Core
  /// 1.0, 12.2).
  private static func authentication(in before: [Claim], besides now: [Claim]) -> [Claim] {
    before.filter { claim in
      ["auth_time", "acr", "amr"].containsBytes(of: claim.originalName)
        && !now.contains { $0.originalName.hasSameBytes(as: claim.originalName) }
    }
  }

  /// A new ID token, which is about the same subject (OpenID Connect Core 1.0, 12.2).
  private func verified(
    _ text: Secret, of principal: FederatedPrincipal, _ answer: TokenAnswer, at now: Instant
  ) async throws(TokenError) -> Verified<JSONWebToken> {
    let verified = try await verify(text, for: .idToken, expecting: Expectations(), at: now)
    let idToken = try IDToken(verified)
    try idToken.check(
      audience: [configuration.clientID], beside: configuration.otherAudiences)
    try idToken.check(answer)
    guard idToken.subject.hasSameBytes(as: principal.subject) else {
      throw TokenError(.signInIDToken, node: "sub", expected: "the subject that signed in")
    }
    return verified
  }

  /// Compares audience and time of authentication with those of the sign-in (12.2).
  private static func check(
    _ verified: Verified<JSONWebToken>, follows original: Secret?
  ) throws(TokenError) {
    guard let original,
      let signed = try? JSONWebSignature(parsing: Array(original.revealed.utf8)),
      let first = try? JSONParser.parse(signed.payload).withoutNulls, let payload = verified.payload
    else { return }
    let audiences = (first["aud"].map { $0.array ?? [$0] } ?? []).compactMap(\.string)
    guard Set(audiences) == Set(verified.facts.audiences) else {
      throw TokenError(.signInIDToken, node: "aud", expected: "the audience of the sign-in")
    }
    // A new ID token may leave the time out, and may not have another one.
    guard let instant = payload["auth_time"] else { return }
    guard let known = first["auth_time"].flatMap({ NumericDate.instant($0) }),
      NumericDate.instant(instant) == known
    else {
      throw TokenError(
        .signInIDToken, node: "auth_time", expected: "the time of the sign-in",
        found: instant.kindName)
    }
  }
}
