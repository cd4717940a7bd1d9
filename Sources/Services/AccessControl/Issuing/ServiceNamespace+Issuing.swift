public import Claims
import Federation
import Octets
import SecurityKeys
public import TokenBasics
import XMLTree

extension ServiceNamespace {
  /// Runs the rules of the relying party over the claims of a subject and issues a token with what they give,
  /// followed by the claim that names the identity provider.
  ///
  /// - Parameters:
  ///   - claims: The verified claims of the subject.
  ///   - source: Who stated them.
  ///   - party: The relying party that the token is for.
  ///   - format: Another format than the relying party's: the WRAP endpoint knows Simple Web Tokens alone.
  ///   - delivery: How a SAML assertion is delivered.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `rules.*`, `issuing.no-*`, and `policy.mint-*` for claims that the format cannot carry.
  public func issue(
    _ claims: ClaimSet, from source: RuleIssuer, to party: RelyingParty,
    as format: TokenFormat? = nil, delivery: SAMLDelivery = SAMLDelivery(), at now: Instant
  ) throws(TokenError) -> IssuedToken {
    let ruled = try engine(of: party).evaluate(claims, from: source, issuer: issuer)
    return try issue(
      ruled, provider: source.name ?? issuer, actor: nil, to: party, as: format ?? party.format,
      delivery, now)
  }

  /// As ``issue(_:from:to:as:delivery:at:)``, for a subject who signed in: SAML says when and how, as the source has it.
  ///
  /// - Throws: `rules.*`, `issuing.no-*`, `policy.mint-*`.
  public func issue(
    _ subject: SignedInSubject, to party: RelyingParty, as format: TokenFormat? = nil,
    at now: Instant
  ) throws(TokenError) -> IssuedToken {
    let ruled = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    return try issue(
      ruled, provider: subject.source.name ?? issuer, actor: subject.actor, to: party,
      as: format ?? party.format, Self.stating(subject, SAMLDelivery()), now)
  }

  /// Issues what was decided.
  ///
  /// - Throws: `issuing.no-*`, `policy.mint-*`.
  func issue(
    _ decision: Decision, _ subject: SignedInSubject, as format: TokenFormat,
    delivery: SAMLDelivery? = nil, at now: Instant
  ) throws(TokenError) -> IssuedToken {
    try issue(
      decision.claims, provider: subject.source.name ?? issuer, actor: subject.actor,
      named: decision.pairwiseName, to: decision.party, as: format,
      delivery ?? Self.stating(subject, SAMLDelivery()), now)
  }

  /// A delivery that states when and how the source authenticated the subject.
  static func stating(_ subject: SignedInSubject, _ delivery: SAMLDelivery) -> SAMLDelivery {
    var delivery = delivery
    delivery.authenticatedAt = subject.authenticated ?? unknownInstant
    delivery.authenticationMethod = subject.context
    delivery.authorities = subject.authorities
    return delivery
  }

  /// An assertion of a sign-in has to have an instant. Where the source gives none it is 1970: who asks for a recent
  /// sign-in then refuses, and no claim is invented.
  private static let unknownInstant = Instant(secondsSinceEpoch: 0)

  private func issue(
    _ ruled: [RuledClaim], provider: String, actor: ActorChain?, named name: String? = nil,
    to party: RelyingParty, as format: TokenFormat, _ delivery: SAMLDelivery, _ now: Instant
  ) throws(TokenError) -> IssuedToken {
    guard party.canEncrypt(format) || !party.requiresEncryption else {
      throw TokenError(.issuingNoEncryption, node: party.name, found: format.name)
    }
    var draft = draft(ruled, provider: provider, to: party, as: format, at: now)
    if let actor {
      draft.claims = ClaimSet(Array(draft.claims) + [Self.claim(of: actor, in: format)])
    }
    if let name {
      draft.claims = ClaimSet(
        draft.claims.filter { $0.type != .nameIdentifier } + [Claim(.nameIdentifier, name)])
    }
    let octets: [UInt8]
    var assertion: XMLFragment?
    var leftOut: [ClaimType] = []
    switch format {
    case .swt:
      (draft.claims, leftOut) = ListedClaims.joinable(draft.claims)
      guard let key = party.key ?? keys.symmetric else {
        throw TokenError(.issuingNoSymmetricKey, node: party.name)
      }
      octets = try SimpleWebToken.mint(draft, key: key)
    case .jwt:
      draft.claims = ClaimSet(draft.claims.map(Self.short))
      octets = try json(draft, party)
    default:
      Self.nameSubject(&draft)
      let fragment = try samlIssuer(party, format).assertionFragment(draft, delivery)
      octets = fragment.octets
      assertion = fragment
    }
    return IssuedToken(
      format: format, realm: party.realm, claims: ruled, issued: draft.issuedAt,
      expires: draft.expires,
      octets: octets, leftOut: leftOut, id: draft.id, assertion: assertion)
  }

  /// What a token says: the claims of the rules, and the identity provider behind them. What the format keeps
  /// for itself is no claim, whoever gives it.
  func draft(
    _ ruled: [RuledClaim], provider: String, to party: RelyingParty, as format: TokenFormat,
    at now: Instant
  ) -> TokenDraft {
    var draft = TokenDraft(
      issuer: issuer, audiences: [party.realm],
      claims: ClaimSet(
        ruled.map(\.claim).filter { !ReservedClaims.contains($0.type, in: format) }
          + [Claim(.identityProvider, provider)]),
      // Tokens have whole seconds.
      issuedAt: Instant(secondsSinceEpoch: now.seconds), lifetime: party.lifetime)
    draft.listTypes = ListedClaims.arrays
    return draft
  }

  /// The type of who acts where a token is no JSON Web Token.
  static let actorType = ClaimType("http://schemas.xmlsoap.org/ws/2009/09/identity/claims/actor")

  /// Who acts: `act` of a JSON Web Token, and its JSON as the value of the actor claim elsewhere.
  static func claim(of actor: ActorChain, in format: TokenFormat) -> Claim {
    let json = String(decoding: actor.json, as: UTF8.self)
    return format == .jwt
      ? Claim("act", json, valueType: Claim.jsonType)
      : Claim(actorType, json)
  }

  /// The short name that Microsoft's issuers give a claim in a JSON Web Token.
  private static func short(_ claim: Claim) -> Claim {
    var claim = claim
    if let name = ClaimNaming.shortName(of: claim.type) { claim.type = ClaimType(name) }
    return claim
  }

  private func json(
    _ draft: TokenDraft, _ party: RelyingParty
  ) throws(TokenError) -> [UInt8] {
    if let key = party.key {
      return try encrypted(JSONWebToken.mint(draft, key: key), to: party)
    }
    return try encrypted(mint(draft, for: party), to: party)
  }

  /// Signs a JSON Web Token by the algorithm of the relying party.
  ///
  /// - Throws: `issuing.no-certificate`, `policy.mint-*`.
  func mint(
    _ draft: TokenDraft, for party: RelyingParty, type: String = "JWT"
  ) throws(TokenError) -> [UInt8] {
    guard let (key, keyID) = signers[party.signing] else {
      throw TokenError(
        .issuingNoCertificate, node: party.name,
        expected: "a key for \(party.signing.nameInJOSE)")
    }
    return try JSONWebToken.mint(draft, key: key, keyID: keyID, type: type)
  }

  /// A signed JSON Web Token as the relying party gets it that is its audience (RFC 7519, 11.2: signed, then encrypted).
  ///
  /// - Throws: `issuing.no-encryption-certificate`, `policy.mint-encryption`.
  func encrypted(
    _ token: [UInt8], to party: RelyingParty
  ) throws(TokenError) -> [UInt8] {
    if let recipient = party.webRecipient {
      return try EncryptedJSONWebToken.encrypt(token, to: recipient)
    }
    guard !party.requiresEncryption || party.format != .jwt else {
      throw TokenError(.issuingNoEncryption, node: party.name)
    }
    return token
  }

  /// The `kid` of a certificate: base64url of its SHA-256 digest.
  public static func keyID(of certificate: Certificate) -> String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: certificate.der) ?? [], .url)
  }

  /// The issuer of a SAML format for a relying party.
  func samlIssuer(
    _ party: RelyingParty, _ format: TokenFormat
  ) throws(TokenError) -> SAMLIssuer {
    guard let key = keys.signing else {
      throw TokenError(.issuingNoCertificate, node: party.name)
    }
    guard !party.requiresEncryption || party.recipient != nil else {
      throw TokenError(.issuingNoEncryption, node: party.name)
    }
    return SAMLIssuer(
      format == .saml11 ? .v1 : .v2, key: key,
      encryptingTo: party.requiresEncryption ? party.recipient : nil)
  }

  /// The one name identifier is the subject of an assertion; several stay claims.
  static func nameSubject(_ draft: inout TokenDraft) {
    guard let subject = draft.claims.single(.nameIdentifier) else { return }
    draft.subject = subject
    draft.claims = ClaimSet(draft.claims.filter { $0.type != .nameIdentifier })
  }
}

/// The names that tokens keep for themselves: a rule that gives one would speak for the service.
public enum ReservedClaims {
  /// Whether tokens of a format keep that type for themselves.
  public static func contains(_ type: ClaimType, in format: TokenFormat) -> Bool {
    if type == .identityProvider || type == ServiceNamespace.actorType { return true }
    let name = type.name
    switch format {
    case .swt:
      return simple.contains { name.utf8.span.equalsIgnoringCase($0.utf8.span) }
    case .jwt:
      // Relying parties with this format are clients of OpenID Connect too.
      let short = ClaimNaming.shortName(of: type) ?? name
      // The short name of the name identifier, which another claim would stand beside.
      if name.hasSameBytes(as: "nameid") { return true }
      return web.containsBytes(of: short) || identity.containsBytes(of: short)
    default: return statements.contains(type)
    }
  }

  /// Whether a type is what the issuer of a token states about the token, the client and the sign-in, under its own name
  /// or the URI that JSON Web Tokens shorten to it.
  static func isStatedByIssuer(_ type: ClaimType) -> Bool {
    own.contains(type)
      || ClaimNaming.shortName(of: type).map { own.contains(ClaimType($0)) } ?? false
  }

  private static let own: Set<ClaimType> = Set(
    (web + [
      "scope", "scp", "client_id", "act", "may_act", "acr", "amr", "auth_time", "nonce", "sid",
      "cnf",
      "azp", "events", "at_hash", "c_hash", "s_hash", "email_verified", "identityprovider",
      // RFC 9396, 9.1; and a second name beside the one that this service gives.
      "authorization_details", "nameidentifier",
    ]).map { ClaimType($0) })

  /// SWT 0.9.5.1; another reader may ignore case.
  private static let simple = ["Issuer", "Audience", "ExpiresOn", "HMACSHA256"]
  /// RFC 7519, 4.1.
  private static let web = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]
  private static let identity = [
    "nonce", "auth_time", "acr", "azp", "at_hash", "c_hash", "s_hash", "sid", "email_verified",
    "act", "may_act", "cnf", "actor", "actort",
  ]
  /// What the authentication statement of an assertion says.
  private static let statements: [ClaimType] = [.authenticationInstant, .authenticationMethod]
}

extension ServiceNamespace {
  /// An ID token (OpenID Connect Core 1.0, 2) with the claims that the rules give.
  ///
  /// Its subject is ours (8.1), and no claim that is named like one stands beside it. When and how the subject was
  /// authenticated is what the source says; an e-mail address comes with whether the source vouches for it (5.1).
  ///
  /// - Throws: `rules.*`, `issuing.subject`, `issuing.no-certificate`, `issuing.no-identifier-key`, `policy.mint-*`.
  public func idToken(
    _ subject: SignedInSubject, to party: RelyingParty, nonce: String?, scopes: [String]? = nil,
    sessionID: String? = nil, id: String = TokenDraft.unpredictableID(), at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let identifier = try identifier(of: subject, for: party)
    var draft = draft([], provider: subject.source.name ?? issuer, to: party, as: .jwt, at: now)
    draft.id = id
    draft.subject = identifier
    var claims = try personClaims(subject, to: party, at: now)
    if let scopes { claims.removeAll { !ScopedClaims.contains($0.type.name, scopes) } }
    if let nonce { claims.append(Claim("nonce", nonce)) }
    if let sessionID { claims.append(Claim("sid", sessionID)) }
    draft.claims = ClaimSet(claims + Self.authentication(of: subject, beside: claims))
    return try encrypted(mint(draft, for: party), to: party)
  }

  /// What the rules give of a person by the names of OpenID Connect, with whether the source vouches for an e-mail address.
  ///
  /// - Throws: `rules.*`.
  func personClaims(
    _ subject: SignedInSubject, to party: RelyingParty, at now: Instant
  ) throws(TokenError) -> [Claim] {
    let ruled = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    let draft = draft(
      ruled, provider: subject.source.name ?? issuer, to: party, as: .jwt, at: now)
    var claims = webClaims(draft.claims)
    // A rule may give an address by the short name, too: what counts is who vouches for it.
    let emails = claims.filter { $0.type.name.hasSameBytes(as: "email") }.map(\.value)
    if !emails.isEmpty {
      let isVerified = emails.count == 1 && emails.allSatisfy { isVouched($0, subject, ruled) }
      claims.append(Claim("email_verified", "\(isVerified)", valueType: Claim.jsonType))
    }
    return claims
  }

  /// Claims by the names of OpenID Connect, without the name identifier: the subject is ours.
  func webClaims(_ claims: ClaimSet) -> [Claim] {
    claims.filter { $0.type != .nameIdentifier }.map { claim in
      var claim = claim
      let name = Self.standard[claim.type] ?? ClaimNaming.shortName(of: claim.type)
      if let name { claim.type = ClaimType(name) }
      return claim
    }
  }

  /// When and how the source authenticated the subject, and who acts for it.
  ///
  /// - Parameter given: The claims of the rules. Where they state the methods (`amr`), those of the source are not added.
  static func authentication(of subject: SignedInSubject, beside given: [Claim] = []) -> [Claim] {
    var claims: [Claim] = []
    if let instant = subject.authenticated {
      claims.append(Claim("auth_time", "\(max(0, instant.seconds))", valueType: Claim.jsonType))
    }
    if let context = subject.context { claims.append(Claim("acr", context)) }
    if !given.contains(where: { $0.type == "amr" }) {
      claims += subject.methods.map { Claim("amr", $0) }
    }
    if let actor = subject.actor { claims.append(claim(of: actor, in: .jwt)) }
    return claims
  }

  /// Whether an e-mail address may stand for the subject: the source vouches for it, or whoever wrote the rules fixed it.
  func isVouched(_ email: String, _ subject: SignedInSubject, _ ruled: [RuledClaim]) -> Bool {
    subject.emails.contains { $0.hasSameBytes(as: email) }
      || ruled.contains {
        $0.claim.type == .emailAddress && $0.claim.value.hasSameBytes(as: email)
          && $0.rule.outputValue != nil
      }
  }

  /// Names of OpenID Connect Core 1.0, 5.1, where Microsoft's differ.
  private static let standard: [ClaimType: String] = [.name: "name"]
}
