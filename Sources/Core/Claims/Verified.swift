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
  /// What the signed token was in, where it came encrypted as a JSON Web Token.
  @usableFromInline package let container: TokenContainer?

  /// How the token was encrypted; nil for one that was not, and for SAML, whose warnings and checks say it.
  public var encryptedWith: EncryptionNames? { container?.names }

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
    container = content.container
    self.warnings = warnings
  }
}

/// The algorithms with which a JSON Web Token is encrypted, by the names of RFC 7518.
public struct EncryptionNames: Hashable, Sendable {
  /// How the content's key is encrypted, such as `RSA-OAEP-256`.
  public let algorithm: String
  /// How the content is encrypted, such as `A256GCM`.
  public let encryption: String

  package init(algorithm: String, encryption: String) {
    self.algorithm = algorithm
    self.encryption = encryption
  }
}

/// What is known of a container once the token inside is verified. An object, so that a token without one carries
/// nothing but nil.
@usableFromInline
package final class TokenContainer: Sendable {
  let names: EncryptionNames
  /// The token inside, which was verified: anybody can put it into another container.
  package let token: any SecurityToken

  package init(_ names: EncryptionNames, around token: some SecurityToken) {
    self.names = names
    self.token = token
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
  @usableFromInline package var container: TokenContainer?

  package var claims: ClaimSet { facts.claims }

  /// How the token was encrypted, where it came as an encrypted JSON Web Token.
  package var encryptedWith: EncryptionNames? { container?.names }

  /// How the entry of the trust whose key verified the token shows its claims.
  package var projection: ClaimProjection { entry.projection }

  /// - Parameters:
  ///   - facts: Those of the signed part, with its claims.
  ///   - entry: The entry of the trust whose key verified the signature.
  package init(facts: TokenFacts, signedBy: Signer, by entry: TrustedIssuer) {
    self.facts = facts
    container = nil
    self.signedBy = signedBy
    self.entry = entry
  }
}
