import JSONWebTokens
import Octets
import TokenBasics

/// What a JWT has to be that comes as a bearer token, beside genuine: an access token, for which the issuer's ID tokens and logout
/// tokens have the same key and often the same audience (RFC 8725, 3.11; RFC 9068, 4).
enum AccessTokenCheck {
  /// What is expected of an assertion of SAML 2.0: that it answers no request, and was delivered to no other address than
  /// this API (SAML Profiles 4.1.4.3). An application could otherwise reuse what it was sent at a sign-in. Other formats
  /// name neither.
  ///
  /// - Parameter issuer: The issuer as the token names it, without proof: only its own entry of the trust can accept more.
  static func expectations(
    of token: AnyToken, from issuer: String, _ trust: Trust
  ) -> Expectations {
    var expected = Expectations()
    guard case .saml = token, case .oneOf(let audiences) = trust.audiences else { return expected }
    let entries = issuer.isEmpty ? [] : trust.entries(for: Array(issuer.utf8)[...])
    guard !entries.contains(where: \.accessTokens.acceptsSignInAssertions) else { return expected }
    expected.isUnsolicited = true
    expected.allowedRecipients = audiences
    return expected
  }

  /// Checks a token that is genuine. What is in a container is what was signed: whoever has our public key can make the
  /// container around an ID token.
  ///
  /// - Parameter clientIDs: Our identifiers as a client of the issuer of that name.
  /// - Throws: `policy.token-purpose`, with the member.
  static func check(
    _ verified: Verified<AnyToken>, clientIDs: (_ issuer: String) -> [String]
  ) throws(TokenError) {
    let rules = verified.entry.accessTokens
    switch verified.token {
    case .jwt(let token):
      try check(token, rules)
      try checkIDToken(token, verified, clientIDs)
    case .encryptedJWT:
      guard let token = verified.container?.token as? JSONWebToken else {
        throw TokenError(.tokenPurpose)
      }
      try check(token, rules)
      try checkIDToken(token, verified, clientIDs)
    case .sdjwt:
      // Its holder chooses what it says, and keeps back a claim for which a rule refuses them.
      throw TokenError(
        .tokenPurpose, node: "header.typ", expected: types(rules), found: "an SD-JWT",
        hint: "have the issuer give an access token for the credential")
    case .saml, .swt: break
    }
  }

  /// A token that is bound to a key is worth nothing without a proof of that (RFC 7800, 3), which no request can give here.
  ///
  /// - Parameter isBound: Whether the token, or who vouches for it, has a member `cnf`.
  /// - Throws: `policy.token-purpose`.
  static func check(isBound: Bool) throws(TokenError) {
    guard isBound else { return }
    throw TokenError(
      .tokenPurpose, node: "cnf", expected: "a token that whoever has it may use",
      found: "one that is bound to a key",
      hint: "have the issuer give bearer tokens: proofs of possession are not read")
  }

  /// Checks what an issuer says that an opaque token is: it vouches for refresh tokens, too.
  ///
  /// - Throws: `policy.token-purpose`.
  static func check(introspectedType type: String?) throws(TokenError) {
    guard let type, others.contains(where: { type.utf8.span.equalsIgnoringCase($0) }) else {
      return
    }
    throw TokenError(
      .tokenPurpose, node: "token_type", expected: "Bearer", found: TokenError.excerpt(type))
  }

  /// What is no access token, or none for whoever has it. There are others: some issuers write `access_token`.
  private static let others: [StaticString] = [
    "refresh", "refresh_token", "id_token", "dpop", "pop", "mac",
  ]

  private static func types(_ rules: AccessTokenRules) -> String {
    rules.demandsType ? "at+jwt" : "nothing, JWT or at+jwt"
  }

  private static func check(
    _ token: JSONWebToken, _ rules: AccessTokenRules
  ) throws(TokenError) {
    try check(isBound: token.hasMember("cnf"))
    let type = token.type
    let isAccessToken = type.map(isAccessToken) ?? false
    guard type == nil || isAccessToken || type.map(isPlain) == true,
      !rules.demandsType || isAccessToken
    else {
      throw TokenError(
        .tokenPurpose, node: "header.typ", expected: types(rules),
        found: type.map { TokenError.excerpt($0) } ?? "nothing")
    }
    if rules.demandsType {
      for name in demanded where !token.hasMember(name) {
        throw TokenError(.tokenPurpose, node: "\(name)", expected: "a member of RFC 9068, 2.2")
      }
    }
    guard !rules.acceptsIDTokens else { return }
    for name in foreign where token.hasMember(name) {
      throw TokenError(
        .tokenPurpose, node: "\(name)", expected: "an access token",
        found: "a member of ID tokens and logout tokens")
    }
  }

  /// Refuses an ID token that has none of the members of ``foreign``: one that says so as Keycloak or Cognito does, or one for
  /// our own client that has no mark of an access token.
  private static func checkIDToken(
    _ token: JSONWebToken, _ verified: Verified<AnyToken>,
    _ clientIDs: (_ issuer: String) -> [String]
  ) throws(TokenError) {
    guard !verified.entry.accessTokens.acceptsIDTokens else { return }
    for name in [typeMember, useMember] {
      guard has(name, token, verified.claims, { $0.utf8.span.equalsIgnoringCase("id") }) else {
        continue
      }
      throw TokenError(
        .tokenPurpose, node: "\(name)", expected: "an access token", found: "an ID token")
    }
    guard !isMarked(token, verified.claims) else { return }
    let own = clientIDs(verified.facts.issuer)
    guard let audience = verified.facts.audiences.first(where: own.containsBytes(of:)) else {
      return
    }
    throw TokenError(
      .tokenPurpose, node: "aud", expected: "an access token",
      found: "an ID token: its audience is the clientID \(TokenError.excerpt(audience))")
  }

  /// Whether a token of a provider says that it is an access token, by its type or by a member that ID tokens do not have.
  static func isMarked(_ token: JSONWebToken, _ claims: ClaimSet) -> Bool {
    (token.type.map(isAccessToken) ?? false) || marks.contains(where: token.hasMember)
      || has(typeMember, token, claims) { $0.utf8.span.equalsIgnoringCase("bearer") }
      || has(useMember, token, claims) { $0.hasSameBytes(as: "access") }
  }

  /// Whether a claim has such a value. Most tokens do not have the member, which is cheaper to see than the claim.
  private static func has(
    _ name: StaticString, _ token: JSONWebToken, _ claims: ClaimSet, _ isMeant: (String) -> Bool
  ) -> Bool {
    token.hasMember(name) && claims[ClaimType("\(name)")].contains(where: isMeant)
  }

  /// By which Keycloak says in the payload what a token is.
  private static let typeMember: StaticString = "typ"
  /// By which Cognito says it.
  private static let useMember: StaticString = "token_use"

  /// Members that access tokens have and ID tokens do not; the last three are Entra's.
  private static let marks: [StaticString] = ["scope", "scp", "azpacr", "appidacr", "idtyp"]
  private static let demanded: [StaticString] = [
    "iss", "exp", "aud", "sub", "client_id", "iat", "jti",
  ]
  private static let foreign: [StaticString] = ["events", "nonce", "at_hash", "c_hash"]

  private static func isPlain(_ type: String) -> Bool {
    type.utf8.span.equalsIgnoringCase("jwt")
  }

  private static func isAccessToken(_ type: String) -> Bool {
    type.utf8.span.equalsIgnoringCase("at+jwt")
      || type.utf8.span.equalsIgnoringCase("application/at+jwt")
  }
}

/// Which tokens are shown to an issuer that is asked about its own: those that are nothing else, since a token is a secret of
/// its issuer's (RFC 7662, 4).
enum OpaqueToken {
  /// Whether a token is opaque, or a JWT that names this issuer.
  ///
  /// - Parameter parsed: What the token was read as; nil where it could not be read.
  static func isFor(
    _ issuer: String, _ octets: [UInt8], _ parsed: AnyToken?, _ limits: Limits
  ) -> Bool {
    let isOurs =
      switch parsed {
      case .jwt(let token): token.unverifiedFacts.issuer.hasSameBytes(as: issuer)
      case nil: hasHeader(octets) ? names(issuer, octets, limits) : true
      default: false
      }
    return isOurs && !octets.isEmpty && octets.allSatisfy(isTokenOctet)
  }

  /// Whether it is a signed object of this issuer that is no token to us.
  private static func names(_ issuer: String, _ octets: [UInt8], _ limits: Limits) -> Bool {
    guard let signed = try? JSONWebSignature(parsing: octets, limits: limits),
      let payload = try? JSONParser.parse(signed.payload)
    else { return false }
    return payload["iss"]?.string?.hasSameBytes(as: issuer) == true
  }

  /// A visible character (RFC 6749, A.12): Salesforce's tokens have `!`, which `b64token` of RFC 6750 does not allow.
  private static func isTokenOctet(_ octet: UInt8) -> Bool { (0x21...0x7E).contains(octet) }

  /// Whether it begins as a JWS or JWE does: with a JSON object in base64url and a dot.
  private static func hasHeader(_ octets: [UInt8]) -> Bool {
    guard let dot = octets.firstIndex(of: UInt8(ascii: ".")),
      let header = try? Base64.decode(Array(octets[..<dot]).span, .url)
    else { return false }
    return (try? JSONParser.parse(header))?.members != nil
  }
}
