public import Federation

extension AccessControlService {
  /// Verifies that the token is signed by this service's issuer with a key of `trust`, that its audience is
  /// this realm, and that it is valid at `now`. Ignores the other issuers and audiences of `trust`, so a
  /// token of one service is not accepted in response to a request to another.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - trust: The trusted issuers and their keys.
  ///   - now: The clock, read once by the caller.
  ///   - nonce: The nonce of the request, which the token must contain. Only a JSON Web Token can; the other
  ///     formats have no field for it.
  /// - Throws: what `TokenValidator` throws; `response.in-response-to-missing` for a nonce with any other
  ///   format.
  public func verify(
    _ token: AnyToken, trust: Trust, at now: Instant, answering nonce: String? = nil
  ) throws(TokenError) -> Verified<AnyToken> {
    var token = token
    if case .jwt(var jwt) = token {
      jwt.naming = .claimURIs
      token = .jwt(jwt)
    } else if nonce != nil {
      throw TokenError(
        .responseUnsolicited, node: "nonce", expected: "a JSON Web Token",
        found: token.format.name)
    }
    return try TokenValidator(narrowed(trust)).validate(
      token, at: now, expecting: Expectations(inResponseTo: nonce))
  }

  private func narrowed(_ trust: Trust) -> Trust {
    var narrow = trust
    narrow.audiences = .oneOf([realm])
    narrow.issuers = trust.entries(for: Array(issuer.utf8)[...]).map { trusted in
      var copy = trusted
      copy.name = .exactly(issuer)
      return copy
    }
    return narrow
  }
}
