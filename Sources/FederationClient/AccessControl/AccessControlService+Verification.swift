public import Federation

extension AccessControlService {
  /// The token, verified: signed by this service's issuer under a key of `trust`, meant for this realm,
  /// and valid now. Other issuers and audiences of `trust` do not count here, so that a token of one
  /// service cannot answer a request to another.
  ///
  /// - Parameter nonce: What the request had, to be named by the token: a JSON Web Token, since the
  ///   other formats of the service have no place for it.
  /// - Throws: what ``TokenValidator`` throws, with a nonce `response.unsolicited` for every other
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
