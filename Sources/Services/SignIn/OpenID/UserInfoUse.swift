public import Federation

/// When claims are read from the UserInfo endpoint (OpenID Connect Core 1.0, 5.3).
public enum UserInfoUse: Hashable, Sendable {
  /// Never.
  case never
  /// At each sign-in; a provider without the endpoint cannot be used.
  case always
  /// Where the ID token lacks a claim that is needed, or leaves an e-mail address open, and the provider has the endpoint. Each element is one claim, by
  /// the types that it may have.
  case forMissing([[ClaimType]])

  /// Whether it is asked beside an ID token with these claims.
  func isAsked(beside claims: ClaimSet) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .forMissing(let needed):
      needed.contains { types in
        !claims.contains { types.contains($0.type) && !CountedEmail.isUnconfirmed($0) }
      }
    }
  }
}
