import HTTPExchange
import Federation
import IssuerRegistry
import JSONWebTokens

extension OpenIDRelyingParty {
  /// What the provider's tokens are verified with: this issuer alone, and the client as the audience.
  ///
  /// - Parameter audiences: Those that are as good as the client.
  func trust(
    _ provider: AcceptedProvider, _ audiences: [String] = []
  ) throws(TokenError) -> Trust {
    try Trust(
      issuers: [provider.issuer], audiences: .oneOf([configuration.clientID] + audiences),
      skew: skew)
  }

  /// Verifies a token of the provider. For a key that is not known, the keys are fetched once more.
  func verify(
    _ text: Secret, for purpose: TokenPurpose, expecting expectations: Expectations,
    audiences: [String] = [], at now: Instant
  ) async throws(TokenError) -> Verified<JSONWebToken> {
    var token = try JSONWebToken(parsing: Array(text.revealed.utf8), for: purpose)
    token.naming = configuration.naming
    guard let algorithm = token.signatureAlgorithm,
      configuration.signingAlgorithms.contains(algorithm)
    else {
      throw TokenError(
        .algorithmNotAllowed, node: "header.alg",
        expected: configuration.signingAlgorithms.map(\.name).joined(separator: " or "),
        found: token.signatureAlgorithm?.name ?? "another")
    }
    do throws(TokenError) {
      return try await validate(token, expectations, audiences, at: now)
    } catch {
      guard Self.mayHaveNewKey(token, error) else { throw error }
    }
    await provider.refreshForUnknownKey(at: now)
    return try await validate(token, expectations, audiences, at: now)
  }

  private func validate(
    _ token: JSONWebToken, _ expectations: Expectations, _ audiences: [String], at now: Instant
  ) async throws(TokenError) -> Verified<JSONWebToken> {
    let trust = try trust(try await provider.provider(at: now), audiences)
    return try TokenValidator(trust).validate(token, at: now, expecting: expectations)
  }

  /// A token without a `kid` does not say that its key is new; then no known key verifies it.
  private static func mayHaveNewKey(_ token: JSONWebToken, _ error: TokenError) -> Bool {
    error.code == .unknownKeyID || token.keyID == nil && error.code == .signatureInvalid
  }
}
