public import Federation

/// Who signed in: the subject of a verified token, with its claims.
public struct FederatedPrincipal: Sendable, CustomStringConvertible {
  /// The issuer of the token.
  public let issuer: String
  /// The subject, unique at ``issuer`` alone (RP-20): never an identifier by itself.
  public let subject: String
  /// The claims of the token, as the trust shows them.
  public let claims: ClaimSet
  /// The format of the token.
  public let format: TokenFormat
  /// What ends the session at the issuer.
  public let issuerSession: IssuerSession
  /// What was accepted with a warning.
  public let warnings: [String]

  package init(
    issuer: String, subject: String, claims: ClaimSet, format: TokenFormat,
    issuerSession: IssuerSession, warnings: [String]
  ) {
    self.issuer = issuer
    self.subject = subject
    self.claims = claims
    self.format = format
    self.issuerSession = issuerSession
    self.warnings = warnings
  }

  /// Issuer and number of claims; neither subject nor value.
  public var description: String { "a subject of \(issuer), \(claims.count) claims" }
}
