import Federation

/// What came of one validation, in a form that two of them can be compared by.
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
