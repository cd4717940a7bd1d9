import Federation

/// Whom a rejected token names as its issuer, and which key: what it says of itself, which nothing may vouch for.
struct Claimant {
  let issuer: String?
  let keyID: String?

  init(_ token: AnyToken) {
    let name = token.unverifiedFacts.issuer
    issuer = name.isEmpty ? nil : name
    keyID =
      switch token {
      case .jwt(let token): token.keyID
      case .encryptedJWT(let token): token.keyID
      case .sdjwt(let token): token.keyID
      case .swt, .saml: nil
      }
  }

  /// Whether the checks before the one with this code have proven who issued the token: they look at times, audiences
  /// and repetition only after the signature.
  static func isProven(by code: TokenError.Code) -> Bool {
    ["time", "audience", "replay"].contains(code.family) && code != .malformedTime
  }
}
