public import Claims
import Octets
public import TokenBasics

/// A JSON Web Token (RFC 7519) as a signed object in compact form (RFC 7515, 7.1).
public struct JSONWebToken: SecurityToken {
  /// How ``unverifiedClaims`` and verified claims are named.
  public var naming: ClaimNaming = .asWritten
  /// Shared, so that copying the token is one retain.
  private let parts: Shared<Parts>

  private struct Parts: Sendable {
    let signed: JSONWebSignature
    let payload: JSONDocument
    let facts: RegisteredClaims
  }

  var signed: JSONWebSignature { parts.value.signed }
  var facts: RegisteredClaims { parts.value.facts }

  /// Reads a compact token: three parts, strict base64url, strict JSON. One with padding can be
  /// read, and is verified only by a key for which `LegacyException.jwsPadding` is allowed.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`, `policy.token-purpose`,
  ///   `time.malformed`.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    try self.init(parsing: octets, for: .access, limits: limits)
  }

  /// As ``init(parsing:limits:)``, for another purpose than access to a service.
  package init(
    parsing octets: [UInt8], for purpose: TokenPurpose, limits: Limits = Limits()
  ) throws(TokenError) {
    try self.init(JSONWebSignature(parsing: octets, limits: limits), for: purpose, limits: limits)
  }

  /// As ``init(parsing:limits:)``, and where it says so of a token whose signature is empty, which no key verifies.
  package init(
    parsing octets: [UInt8], limits: Limits, readsUnsigned: Bool
  ) throws(TokenError) {
    try self.init(
      JSONWebSignature(parsing: octets, limits: limits, readsUnsigned: readsUnsigned), for: .access,
      limits: limits)
  }

  private init(
    _ signed: JSONWebSignature, for purpose: TokenPurpose, limits: Limits
  ) throws(TokenError) {
    try signed.header.require(purpose)
    // A detached payload (RFC 7515, Appendix F) would be elsewhere.
    guard !signed.payload.isEmpty else {
      throw TokenError(.jwsParts, expected: "a payload", found: "an empty part")
    }
    let payload = try JSONParser.document(signed.payload, limits: limits)
    guard payload.root.kind == .object else {
      throw TokenError(
        .jsonMember, node: "payload", expected: "an object", found: payload.root.kind.rawValue)
    }
    parts = Shared(
      Parts(signed: signed, payload: payload, facts: try RegisteredClaims(payload)))
  }

  /// Checks that its type is one of another purpose, too.
  ///
  /// - Throws: `policy.token-purpose`.
  package func require(_ purpose: TokenPurpose) throws(TokenError) {
    try signed.header.require(purpose)
  }

  /// The token as received.
  package var octets: [UInt8] { signed.octets }

  /// Always `jwt`.
  public var format: TokenFormat { .jwt }

  /// Header and payload, base64url without padding, with a dot between them: the JWS signing input
  /// (RFC 7515, 5.1), unless that is padded.
  public var _signedOctets: [UInt8] { signed.identityOctets }

  /// The registered claims (RFC 7519, 4.1), not verified.
  public var unverifiedFacts: TokenFacts { facts.facts }

  /// Every member but `iss`, `aud`, `exp`, `nbf` and `jti`, which ``unverifiedFacts`` has: one claim for
  /// each element of an array, one for anything else, none for `null`. A string is its value as it is,
  /// anything else its JSON text, of type ``jsonType``.
  public var unverifiedClaims: ClaimSet { namedFacts.claims }

  /// The text of a member of the payload; nil for one of another type, and for none.
  func payloadText(_ name: StaticString) -> String? {
    let payload = parts.value.payload
    guard let member = payload.member(name), member.kind == .string else { return nil }
    return payload.string(member.textRange)
  }

  /// The payload as JSON.
  var payloadDocument: JSONDocument { parts.value.payload }

  /// Whether the payload has a member of that name; one that is null is not there.
  package func hasMember(_ name: StaticString) -> Bool {
    parts.value.payload.member(name).map { $0.kind != .null } ?? false
  }

  /// The facts, with claims named by ``naming``.
  var namedFacts: TokenFacts {
    let facts = facts.facts
    if naming == .asWritten { return facts }
    var claims = ClaimTableBuilder(
      over: parts.value.payload.octets, claimCount: facts.table.records.count)
    claims.addMembers(of: parts.value.payload, issuer: facts.issuerText, naming: naming)
    return TokenFacts(claims, facts.table.facts)
  }

  /// The type of a claim whose value is JSON text.
  public static let jsonType = Claim.jsonType
}

extension Verified where Token == JSONWebToken {
  /// The verified payload as JSON, for rules about the types of members that no claim shows. A member that is null is not
  /// there.
  package var payload: JSONValue? { try? JSONParser.parse(token.signed.payload).withoutNulls }

  /// The `kid` that the verified header names.
  package var keyID: String? { token.keyID }
}

extension JSONWebToken {
  /// The `kid` that the header names, not verified.
  package var keyID: String? { signed.header.keyID }

  /// What the header says that it is, not verified; nil where it does not say.
  package var type: String? { signed.header.type }

  /// When the token was issued, not verified.
  package var issuedAt: Instant? { facts.issuedAt }
}
