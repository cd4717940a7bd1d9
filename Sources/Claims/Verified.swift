/// A token whose signature and every condition were checked: the only place to read claims from.
///
/// Nothing but ``TokenValidator`` makes one.
public struct Verified<Token: SecurityToken>: Sendable, CustomStringConvertible {
  /// The token that was verified.
  public let token: Token
  /// Its claims, read from the signed part alone.
  public let claims: ClaimSet
  /// What it says of itself, read from the signed part alone.
  public let facts: TokenFacts
  /// Who signed it.
  public let signedBy: Signer
  /// What was let in by exception.
  public let warnings: [String]

  public var description: String {
    "a verified \(token.format) token by \(facts.issuer), \(claims.count) claims"
  }

  @inlinable
  package init(_ token: Token, _ content: VerifiedContent, warnings: [String]) {
    self.token = token
    claims = content.claims
    facts = content.facts
    signedBy = content.signedBy
    self.warnings = warnings
  }
}

/// The key that verified a signature and the algorithm it was used with.
public struct Signer: Hashable, Sendable {
  /// The algorithm, such as `rsa-sha256`.
  public let algorithm: String
  /// The key's fingerprint, such as `sha256:9f86d081…`.
  public let key: String

  package init(algorithm: String, key: String) {
    self.algorithm = algorithm
    self.key = key
  }
}

/// What a format's own verification hands to the validator.
public struct VerifiedContent: Sendable {
  @usableFromInline package var facts: TokenFacts
  @usableFromInline package var claims: ClaimSet
  @usableFromInline package var signedBy: Signer

  package init(facts: TokenFacts, claims: ClaimSet, signedBy: Signer) {
    self.facts = facts
    self.claims = claims
    self.signedBy = signedBy
  }
}
