public import Federation

/// Who asks, as rules and headers see it.
public struct GateSubject: Sendable {
  /// The subject at its issuer.
  public let subject: String
  /// Its claims.
  public let claims: ClaimSet

  /// A subject with these claims.
  public init(subject: String, claims: ClaimSet) {
    self.subject = subject
    self.claims = claims
  }

  /// The values of a claim; `subject` is the subject itself.
  func values(_ type: ClaimType) -> [String] {
    type == GateClaim.subject ? [subject] : claims[type]
  }
}
