import Federation

/// The result of one validation, in a comparable form.
enum Outcome: Hashable, Sendable {
  case accepted(facts: TokenFacts, claims: ClaimSet, signer: Signer, warnings: [String])
  case refused(TokenError.Code)

  init<Token>(_ result: Result<Verified<Token>, TokenError>) {
    switch result {
    case .success(let verified):
      self = .accepted(
        facts: verified.facts, claims: verified.claims, signer: verified.signedBy,
        warnings: verified.warnings)
    case .failure(let error): self = .refused(error.code)
    }
  }
}
