package import TokenErrors

/// Only signed texts meet what a caller expects of a token.
extension VerificationContext {
  /// Checks that a signed text is what is expected.
  package mutating func check(
    _ name: Check.Name, _ expected: String, isMetBy found: SignedText?,
    missing: TokenError.Code, mismatch: TokenError.Code, node: @autoclosure () -> String?
  ) {
    run(name) { context throws(TokenError) in
      guard let found, !found.text.isEmpty else {
        throw TokenError(missing, node: node(), expected: TokenError.excerpt(expected))
      }
      guard found.meets(expected) else {
        throw TokenError(
          mismatch, node: node(), expected: TokenError.excerpt(expected),
          found: TokenError.excerpt(found.text))
      }
      context.pass(name, node: node(), found: found.text)
    }
  }

  /// Checks that an unsigned text does not contradict what is expected, which proves nothing. Returns
  /// whether it does not.
  @discardableResult
  package mutating func check(
    _ name: Check.Name, _ expected: String, isNotContradictedBy found: UnsignedText?,
    mismatch: TokenError.Code, node: @autoclosure () -> String?
  ) -> Bool {
    guard let found, found.contradicts(expected) else { return true }
    fail(
      name,
      TokenError(
        mismatch, node: node(), expected: TokenError.excerpt(expected),
        found: TokenError.excerpt(found.text)))
    return false
  }

  /// Refuses a token that has no signed place for the recipient that is expected.
  package mutating func refuseRecipient(
    node: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard let expected = expectations.recipient else { return }
    fail(
      .destination,
      TokenError(
        .recipientUnprovable, node: node(), expected: TokenError.excerpt(expected), found: found()))
  }

  /// Refuses a token that has no signed place for the request that is expected.
  package mutating func refuseRequest(
    node: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard let expected = expectations.inResponseTo else { return }
    fail(
      .request,
      TokenError(
        .requestUnprovable, node: node(), expected: TokenError.excerpt(expected), found: found()))
  }
}
