import Federation

/// The bearer tokens that were used to sign in, until they are no longer valid: each signs in once.
actor SeenTokens {
  private var expiries: [[UInt8]: Instant] = [:]

  /// - Throws: `client.state` for a token that was here before.
  func remember(
    _ token: AccessControlToken, skew: Int, at now: Instant
  ) throws(TokenError) {
    expiries = expiries.filter { $0.value > now }
    // By what was signed: the envelope can be written in many ways.
    let facts = token.verified.facts
    let name =
      facts.tokenID.map { "\(facts.issuer)\n\($0)" } ?? token.secret.revealed
    let digest = DigestAlgorithm.sha256.digest(of: Array(name.utf8)) ?? Array(name.utf8)
    guard expiries[digest] == nil else {
      throw TokenError(.clientState, found: "a token that was used before")
    }
    let end = facts.expires ?? now.advanced(bySeconds: 86_400)
    expiries[digest] = end.advanced(bySeconds: Int64(skew))
  }
}
