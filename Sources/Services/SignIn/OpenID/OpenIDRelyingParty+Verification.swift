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
    var token = try signed(Array(text.revealed.utf8), for: purpose)
    token.naming = configuration.naming
    var expectations = expectations
    if purpose == .logoutToken { expectations.assumedEnd = Self.assumedEnd(token.unverifiedFacts) }
    do throws(TokenError) {
      return try await validate(token, expectations, audiences, at: now)
    } catch {
      guard mayHaveNewKey(token, error) else { throw error }
    }
    await provider.refreshForUnknownKey(at: now)
    return try await validate(token, expectations, audiences, at: now)
  }

  /// The signed token that came, or the one inside of an encrypted token (OpenID Connect Core 1.0, 10.2).
  ///
  /// - Throws: `signin.not-encrypted`, `encryption.*`, `signature.missing`; as `JSONWebToken.init(parsing:limits:)`.
  private func signed(
    _ octets: [UInt8], for purpose: TokenPurpose
  ) throws(TokenError) -> JSONWebToken {
    guard !configuration.decryptionKeys.isEmpty, JSONWebEncryption.hasParts(octets.span) else {
      guard !configuration.demandsEncryption || purpose != .idToken else {
        throw TokenError(.signInNotEncrypted, node: "id_token")
      }
      return try JSONWebToken(parsing: octets, for: purpose)
    }
    return try EncryptedJSONWebToken(parsing: octets).inner(decryption, for: purpose)
  }

  /// What opens what the provider encrypts to us.
  var decryption: Trust {
    var trust = Trust(issuers: [], audiences: .oneOf([]))
    trust.decryptionKeys = configuration.decryptionKeys
    return trust
  }

  private func validate(
    _ token: JSONWebToken, _ expectations: Expectations, _ audiences: [String], at now: Instant
  ) async throws(TokenError) -> Verified<JSONWebToken> {
    let accepted = try await provider.provider(at: now)
    try check(
      token.signatureAlgorithm, isOneOf: signingAlgorithms(accepted.configuration))
    let trust = try trust(accepted, audiences)
    return try TokenValidator(trust).validate(token, at: now, expecting: expectations)
  }

  /// The algorithms that may sign tokens of the provider.
  package func signingAlgorithms(_ found: OpenIDConfiguration) -> [SignatureAlgorithm] {
    // OpenID Connect Discovery 1.0, 3 demands the member and RS256 in it.
    configuration.signingAlgorithms
      ?? Self.publicAlgorithms(
        found.signingAlgorithms.isEmpty ? ["RS256"] : found.signingAlgorithms)
  }

  /// The algorithms of these names in JOSE that verify with a public key and no exception.
  static func publicAlgorithms(_ names: [String]) -> [SignatureAlgorithm] {
    names.compactMap { SignatureAlgorithm(named: $0) }.filter(OpenIDClient.isPublic)
  }

  /// - Throws: `algorithm.not-allowed`.
  func check(
    _ algorithm: SignatureAlgorithm?, isOneOf allowed: [SignatureAlgorithm]
  ) throws(TokenError) {
    guard let algorithm, allowed.contains(algorithm) else {
      throw TokenError(
        .algorithmNotAllowed, node: "header.alg",
        expected: allowed.map(\.name).joined(separator: " or "),
        found: algorithm?.name ?? "another")
    }
  }

  /// A token without a `kid` does not say that its key is new; then no known key verifies it.
  /// One of an algorithm that the provider's configuration did not list may be of one that it lists now.
  private func mayHaveNewKey(_ token: JSONWebToken, _ error: TokenError) -> Bool {
    error.code == .unknownKeyID || token.keyID == nil && error.code == .signatureInvalid
      || error.code == .algorithmNotAllowed && configuration.signingAlgorithms == nil
  }
}
