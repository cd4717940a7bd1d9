package import SecurityKeys

/// A token whose signature and conditions are verified: the only place to read claims from. Only
/// ``TokenValidator`` makes one.
public struct Verified<Token: SecurityToken>: Sendable, CustomStringConvertible {
  /// The token that was verified.
  public let token: Token
  /// Its facts, read from the signed part alone.
  public let facts: TokenFacts
  /// The key that verified it.
  public let signedBy: Signer
  /// The exceptions that were made, as texts.
  public let warnings: [String]
  /// The entry of the trust whose key verified it.
  @usableFromInline package let entry: TrustedIssuer

  /// Its claims, read from the signed part alone.
  public var claims: ClaimSet { facts.claims }

  /// How the entry of the trust whose key verified the token shows its claims.
  public var projection: ClaimProjection { entry.projection }

  /// The claims as ``projection`` shows them.
  public var projectedClaims: ClaimSet { claims.projected(projection) }

  /// Format, issuer and number of claims, no value.
  public var description: String {
    "a verified \(token.format) token by \(facts.issuer), \(claims.count) claims"
  }

  @inlinable
  package init(_ token: Token, _ content: VerifiedContent, warnings: [String]) {
    self.token = token
    facts = content.facts
    signedBy = content.signedBy
    entry = content.entry
    self.warnings = warnings
  }
}

/// The key that verified a signature and the algorithm it was used with.
public struct Signer: Hashable, Sendable {
  private let signatureAlgorithm: SignatureAlgorithm
  private let verificationKey: VerificationKey

  package init(_ match: consuming KeyRing.Match) {
    signatureAlgorithm = match.algorithm
    verificationKey = match.key
  }

  /// The algorithm, such as `rsa-sha256`.
  public var algorithm: String { signatureAlgorithm.name }
  /// The key's fingerprint, such as `sha256:9f86d081…`.
  public var key: String { verificationKey.fingerprint }

  /// Whether algorithm and key are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.signatureAlgorithm == right.signatureAlgorithm && left.key == right.key
  }

  /// Hashes algorithm and key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(signatureAlgorithm)
    hasher.combine(key)
  }
}

/// The result of a format's verification, from which the validator makes a ``Verified``. Made inside this
/// package alone.
public struct VerifiedContent: Sendable {
  @usableFromInline package var facts: TokenFacts
  @usableFromInline package var signedBy: Signer
  @usableFromInline package let entry: TrustedIssuer

  package var claims: ClaimSet { facts.claims }

  /// How the entry of the trust whose key verified the token shows its claims.
  package var projection: ClaimProjection { entry.projection }

  /// - Parameters:
  ///   - facts: Those of the signed part, with its claims.
  ///   - entry: The entry of the trust whose key verified the signature.
  package init(facts: TokenFacts, signedBy: Signer, by entry: TrustedIssuer) {
    self.facts = facts
    self.signedBy = signedBy
    self.entry = entry
  }
}
