import TokenErrors

extension VerificationContext {
  /// Checks that the token is meant for one of our audiences: each restriction must name one, and
  /// there must be a restriction.
  ///
  /// - Parameters:
  ///   - texts: What the places in `restrictions` refer to.
  ///   - advice: What to say of a token that names no audience or another one, by what it names.
  package mutating func check(
    _ restrictions: AudienceRestrictions, in texts: borrowing some ClaimTexts & ~Copyable,
    node: @autoclosure () -> String?, advice: ([String]) -> AudienceAdvice? = { _ in nil }
  ) {
    guard case .oneOf(let ours) = trust.audiences else {
      return skip(.audience, because: "any audience was allowed")
    }
    guard !ours.isEmpty else { return fail(.audience, TokenError(.audienceNotConfigured)) }
    guard restrictions.count > 0 else {
      let advice = advice([])
      return fail(
        .audience,
        TokenError(
          .audienceMissing, node: node(), expected: ours.joined(separator: " or "),
          found: advice?.found, hint: advice?.hint))
    }
    if let unmet = restrictions.firstUnmet(by: ours, in: texts) {
      let named = restrictions.strings(of: unmet, in: texts)
      return fail(
        .audience,
        TokenError(
          .audienceMismatch, node: node(), expected: ours.joined(separator: " or "),
          found: named.prefix(4).map(TokenError.excerpt).joined(separator: " or "),
          hint: NameDifference.hint(named, ours) ?? advice(named)?.hint))
    }
    guard journal.isDetailed else { return }
    let named = (1...restrictions.count).flatMap { restrictions.strings(of: $0, in: texts) }
    pass(
      .audience, node: node(), expected: ours.joined(separator: " or "),
      found: named.joined(separator: " or "))
  }
}
