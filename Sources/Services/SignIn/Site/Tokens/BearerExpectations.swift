/// What a service expects of the bearer token of one request, beside what the trust says.
package struct BearerExpectations: Sendable {
  /// The only audiences that count; nil for those of the trust (RFC 8707, 2).
  package var audiences: [String]?
  /// Audiences that count beside those of the trust.
  package var furtherAudiences: [String] = []
  /// Whether a token has to name an audience although the trust takes one of that issuer without: at a protected resource.
  package var demandsAudience = false
  /// The domains whose e-mail addresses count where the issuer, by its `id` in the trust, does not say that they are
  /// verified.
  package var domains: @Sendable (_ issuer: String) -> [String] = { _ in [] }
  /// Our identifiers as a client of the issuer of that name: a token for one of them is an ID token, unless it says that it
  /// is an access token.
  package var clientIDs: @Sendable (_ issuer: String) -> [String] = { _ in [] }

  package init() {}

  /// The audiences of which a token has to name one.
  func audiences(_ trust: Trust.Audiences) -> Trust.Audiences {
    if let audiences { return .oneOf(audiences) }
    guard case .oneOf(let own) = trust, !furtherAudiences.isEmpty else { return trust }
    return .oneOf(own + furtherAudiences)
  }
}
