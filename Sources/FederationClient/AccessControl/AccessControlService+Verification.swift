public import Federation

extension AccessControlService {
  /// The token, verified: signed by this service's issuer under a key of `trust`, meant for this realm,
  /// and valid now. Other issuers and audiences of `trust` do not count here, so that a token of one
  /// service cannot answer a request to another.
  /// - Throws: what ``TokenValidator`` throws.
  public func verify(
    _ token: AnyToken, trust: Trust, at now: Instant
  ) throws(TokenError) -> Verified<AnyToken> {
    var token = token
    if case .jwt(var jwt) = token {
      jwt.naming = .claimURIs
      token = .jwt(jwt)
    }
    return try TokenValidator(narrowed(trust)).validate(token, at: now)
  }

  private func narrowed(_ trust: Trust) -> Trust {
    var narrow = trust
    narrow.audiences = .oneOf([realm])
    narrow.issuers = trust.issuers.filter { $0.isIssuer(issuer) }.map { trusted in
      var copy = trusted
      copy.name = .exactly(issuer)
      return copy
    }
    return narrow
  }
}
