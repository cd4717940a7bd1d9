public import Claims
import Octets
import StrictJSON
public import TokenErrors

/// A JSON Web Token (RFC 7519) as a signed object in compact form (RFC 7515, 7.1).
public struct JSONWebToken: SecurityToken {
  let signed: JSONWebSignature
  /// How claim names are shown.
  public var naming: ClaimNaming = .asWritten
  private let members: [(name: String, value: JSONValue)]

  /// Reads a compact token: three parts, strict base64url, strict JSON.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`, `policy.token-purpose`,
  ///   `time.malformed`.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    signed = try JSONWebSignature(parsing: octets, limits: limits)
    try signed.header.requirePurpose()
    // A detached payload (RFC 7515, Appendix F) would come from somewhere else.
    guard !signed.payload.isEmpty else {
      throw TokenError(.jwsParts, expected: "a payload", found: "an empty part")
    }
    let json = try JSONParser.parse(signed.payload, limits: limits)
    guard let members = json.members else {
      throw TokenError(
        .jsonMember, node: "payload", expected: "an object", found: json.kindName)
    }
    self.members = members
    facts = try RegisteredClaims.read(members, in: signed.payload)
  }

  /// The token as received: base64url here has one spelling.
  package var octets: [UInt8] {
    Array(signed.signedOctets) + Array(("." + Base64.encode(signed.signature, .url)).utf8)
  }

  public var format: TokenFormat { .jwt }

  public var _signedOctets: [UInt8] { Array(signed.signedOctets) }

  /// What the registered claims say (RFC 7519, 4.1).
  public var unverifiedFacts: TokenFacts { facts.facts }

  let facts: RegisteredClaims

  /// Every member but `iss`, `aud`, `exp`, `nbf` and `jti`, which ``unverifiedFacts`` has: a string as
  /// it is, anything else as its JSON text.
  public var unverifiedClaims: ClaimSet {
    var claims = ClaimTableBuilder(over: signed.payload, claimCount: members.count)
    let issuer = claims.add(facts.facts.issuer)
    let jsonType = claims.add(Self.jsonType)
    for (name, value) in members where !RegisteredClaims.isFact(name) {
      let written = claims.add(name)
      let type = naming.uri(for: name).map { claims.add($0) }
      claims.append(
        claims.number(of: type ?? written).number, claims.place(of: value),
        valueType: value.string == nil ? jsonType : ClaimTable.stringType, issuer: issuer,
        originalName: written)
    }
    return ClaimSet(claims)
  }

  /// The type of a claim whose value is JSON text.
  public static let jsonType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"
}
