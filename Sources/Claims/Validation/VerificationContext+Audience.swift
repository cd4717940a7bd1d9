import TokenErrors

extension VerificationContext {
  /// Checks that the token is meant for one of our audiences: each restriction must name one, and there
  /// must be a restriction.
  ///
  /// - Parameter texts: What the places in `restrictions` refer to.
  package mutating func check(
    _ restrictions: AudienceRestrictions, in texts: borrowing some ClaimTexts & ~Copyable,
    node: @autoclosure () -> String?
  ) {
    guard case .oneOf(let ours) = trust.audiences else {
      return skip(.audience, because: "any audience was allowed")
    }
    guard !ours.isEmpty else { return fail(.audience, TokenError(.audienceNotConfigured)) }
    guard restrictions.count > 0 else {
      return fail(
        .audience,
        TokenError(.audienceMissing, node: node(), expected: ours.joined(separator: " or ")))
    }
    if let unmet = restrictions.firstUnmet(by: ours, in: texts) {
      let named = restrictions.strings(of: unmet, in: texts)
      return fail(
        .audience,
        TokenError(
          .audienceMismatch, node: node(), expected: ours.joined(separator: " or "),
          found: named.prefix(4).map(TokenError.excerpt).joined(separator: " or ")))
    }
    guard journal.isDetailed else { return }
    let named = (1...restrictions.count).flatMap { restrictions.strings(of: $0, in: texts) }
    pass(
      .audience, node: node(), expected: ours.joined(separator: " or "),
      found: named.joined(separator: " or "))
  }
}
