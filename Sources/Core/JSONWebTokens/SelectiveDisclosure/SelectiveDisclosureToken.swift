public import Claims
import Octets
package import SecurityKeys
public import TokenBasics

/// A JSON Web Token of whose claims the holder discloses some: an SD-JWT (RFC 9901), with or without key binding, such as
/// wallets and issuers of credentials hand out.
public struct SelectiveDisclosureToken: SecurityToken {
  /// How ``unverifiedClaims`` and verified claims are named.
  public var naming: ClaimNaming = .asWritten
  /// Shared, so that copying the token is one retain.
  private let parts: Shared<Parts>

  private struct Parts: Sendable {
    let signed: JSONWebSignature
    let payload: JSONDocument
    let facts: RegisteredClaims
    let origins: [OctetKey: [ClaimOrigin]]
    let binding: KeyBinding?
    let disclosureCount: Int
    /// The whole as received.
    let octets: [UInt8]
  }

  /// Reads a compact SD-JWT: the signed token, disclosures and, behind the last `~`, the key binding. Disclosures are put in
  /// the place of their digests, so that what is judged is what is disclosed.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`, `policy.token-purpose`, `time.malformed`,
  ///   `disclosure.*`, `binding.malformed`.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let pieces = octets.split(separator: Self.separator, omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
      throw TokenError(
        .disclosureParts, expected: "token~disclosure~…~", found: "no ~")
    }
    let disclosures = pieces.dropFirst().dropLast()
    guard disclosures.count <= Self.disclosureLimit else {
      throw TokenError(
        .disclosureParts, expected: "at most \(Self.disclosureLimit) disclosures",
        found: "\(disclosures.count)")
    }
    let signed = try JSONWebSignature(parsing: Array(first), limits: limits)
    let payload = try DisclosedPayload(signed.payload, Array(disclosures), limits)
    let document = try JSONParser.document(payload.text, limits: limits)
    var binding: KeyBinding?
    if !last.isEmpty {
      binding = try KeyBinding(
        Array(last), over: octets[..<last.startIndex], payload.algorithm, limits)
    }
    parts = Shared(
      Parts(
        signed: signed, payload: document, facts: try RegisteredClaims(document),
        origins: payload.origins, binding: binding, disclosureCount: disclosures.count,
        octets: octets))
  }

  /// Whether octets have the form of an SD-JWT: no other form of a token has a `~`.
  package static func hasSeparator(_ octets: Span<UInt8>) -> Bool {
    octets.firstIndex(of: separator, from: 0) != nil
  }

  private static let separator = UInt8(ascii: "~")
  /// A credential has some tens of claims, and each disclosure is a digest and a parse.
  private static let disclosureLimit = 1_000

  var signed: JSONWebSignature { parts.value.signed }
  var facts: RegisteredClaims { parts.value.facts }
  var payload: JSONDocument { parts.value.payload }
  var binding: KeyBinding? { parts.value.binding }

  /// The token as received.
  package var octets: [UInt8] { parts.value.octets }

  /// How many disclosures come with it.
  public var disclosureCount: Int { parts.value.disclosureCount }

  /// Whether a key binding comes with it, which proves nothing unless it was asked for.
  public var hasKeyBinding: Bool { binding != nil }

  /// Always `sdjwt`.
  public var format: TokenFormat { .sdjwt }

  /// The signing input of the issuer's signature: which disclosures come with it does not make another token of it.
  public var _signedOctets: [UInt8] { signed.identityOctets }

  /// The registered claims (RFC 7519, 4.1), disclosures in their place, not verified.
  public var unverifiedFacts: TokenFacts { facts.facts }

  /// As of `JSONWebToken`, disclosures in their place.
  public var unverifiedClaims: ClaimSet { namedFacts.claims }

  /// Where each of ``unverifiedClaims`` comes from, in their order.
  public var claimOrigins: [ClaimOrigin] {
    var places: [OctetKey: Int] = [:]
    return facts.facts.claims.map { claim in
      let name = OctetKey(Array(claim.type.name.utf8))
      let place = places[name, default: 0]
      places[name] = place + 1
      let origins = parts.value.origins[name] ?? []
      return origins.indices.contains(place) ? origins[place] : origins.last ?? .visible
    }
  }

  /// The facts, with claims named by ``naming``.
  var namedFacts: TokenFacts {
    let facts = facts.facts
    if naming == .asWritten { return facts }
    var claims = ClaimTableBuilder(over: payload.octets, claimCount: facts.table.records.count)
    claims.addMembers(of: payload, issuer: facts.issuerText, naming: naming)
    return TokenFacts(claims, facts.table.facts)
  }

  /// The facts of a verified token. One without `iss` has the name of the entry whose pinned key signed it, where the
  /// entry has a name.
  private func facts(by entry: TrustedIssuer) -> TokenFacts {
    guard facts.facts.issuerBytes.isEmpty, case .exactly(let name) = entry.name else {
      return namedFacts
    }
    let table = facts.facts.table
    var claims = ClaimTableBuilder(over: payload.octets, claimCount: table.records.count)
    let issuer = claims.add(name)
    claims.addMembers(of: payload, issuer: issuer, naming: naming)
    return TokenFacts(claims, table.facts.naming(issuer))
  }

  /// The `kid` that the header names, not verified.
  package var keyID: String? { signed.header.keyID }

  /// The algorithm that the header names, if it is supported.
  package var signatureAlgorithm: SignatureAlgorithm? { signed.header.signatureAlgorithm }
}

extension SelectiveDisclosureToken {
  /// Verifies the issuer's signature, then, after disclosure, type, audience and times, and the key binding where it is
  /// demanded. Whether it is demanded never depends on whether there is one.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    context.pass(.structure)
    let facts = facts.facts
    let (entry, match) = try signer(&context)
    context.pass(signature: match, node: "signature")
    if hasLegacyType {
      context.warn(["legacy: \(LegacyException.vcSDJWT.name) was allowed by name"])
    }
    // Who a credential without aud is presented to, its key binding says, which is checked below.
    let presented = payload.member("aud") == nil ? context.expectations.keyBinding?.audience : nil
    context.check(
      facts.audienceRestrictions, in: facts.table, node: "aud", orElse: presented,
      advice: { $0.isEmpty ? audienceAdvice(presented) : nil })
    context.checkWindow(
      notBefore: facts.notBefore, expires: facts.expires, node: "exp",
      endless: "have the issuer write exp: SD-JWT VC leaves it optional, and nothing here asks for "
        + "a status that would end the credential")
    if let issuedAt = self.facts.issuedAt { context.checkIssueInstant(issuedAt, node: "iat") }
    checkBinding(&context)
    context.refuseRequest()
    context.refuseRecipient()
    return VerifiedContent(facts: self.facts(by: entry), signedBy: Signer(match), by: entry)
  }

  /// The entry of the trust and its key that signed. Without `iss` it is the entry whose pinned key signed: SD-JWT VC
  /// leaves `iss` out where a certificate names the issuer.
  private func signer(
    _ context: inout VerificationContext
  ) throws(TokenError) -> (TrustedIssuer, KeyRing.Match) {
    let now = context.now
    guard facts.facts.issuerBytes.isEmpty else {
      let entry = try context.entry(
        forIssuer: facts.facts.issuerBytes, .sdjwt, node: "iss")
      let match = try context.require(.signature) { _ throws(TokenError) in
        try self.match(entry.ring, entry.exceptions, at: now)
      }
      return (entry, match)
    }
    let entries = try context.pinnedEntries(.sdjwt, node: "iss")
    let match = try context.require(.signature) { _ throws(TokenError) in
      try requireAsymmetric(signed.header)
      return try signed.match(KeyRing(entries.flatMap(\.keys)), at: now)
    }
    let entry = try context.entry(of: match.key, among: entries, node: "iss")
    try context.require(.signature) { _ throws(TokenError) in try requireType(entry.exceptions) }
    return (entry, match)
  }

  private func match(
    _ ring: KeyRing, _ exceptions: Set<LegacyException>, at now: Instant
  ) throws(TokenError) -> KeyRing.Match {
    try requireAsymmetric(signed.header)
    let match = try signed.match(ring, at: now)
    try requireType(exceptions)
    return match
  }

  private func audienceAdvice(_ presented: String?) -> AudienceAdvice? {
    guard payload.member("aud") == nil else { return nil }
    guard let presented else {
      return AudienceAdvice(
        hint: "a credential seldom names one: demand a key binding for an audience of yours, or "
          + "accept any audience")
    }
    return AudienceAdvice(
      found: "a key binding for \(TokenError.excerpt(presented))",
      hint: "add the audience of the key binding that you demand to the accepted audiences, or "
        + "accept any audience")
  }

  /// Who verifies a shared secret could have made the token.
  private func requireAsymmetric(_ header: JOSEHeader) throws(TokenError) {
    guard header.signatureAlgorithm?.family != .hmac else {
      throw TokenError(
        .algorithmNotAllowed, node: "header.alg", expected: "a signature of a private key",
        found: header.algorithm,
        hint:
          "have the issuer sign with a private key: wallets and verifiers share no secret with it")
    }
  }

  /// What the issuer declares the token to be (SD-JWT VC, 3.2.1), so that no other token of its key is taken for one.
  private func requireType(_ exceptions: Set<LegacyException>) throws(TokenError) {
    let type = signed.header.type
    if let type, JOSEHeader.isType(type, "dc+sd-jwt") { return }
    if hasLegacyType, exceptions.contains(.vcSDJWT) { return }
    throw TokenError(
      .tokenPurpose, node: "header.typ", expected: "dc+sd-jwt",
      found: type.map { TokenError.excerpt($0) } ?? "nothing",
      hint: hasLegacyType
        ? "have the issuer write dc+sd-jwt, or allow vc+sd-jwt by name" : nil)
  }

  private var hasLegacyType: Bool {
    signed.header.type.map { JOSEHeader.isType($0, "vc+sd-jwt") } ?? false
  }

  private func checkBinding(_ context: inout VerificationContext) {
    guard let demand = context.expectations.keyBinding else {
      if hasKeyBinding {
        context.warn([
          "binding: a key-binding JWT is there and unread; demand one to know who presents the token"
        ])
      } else if payload.member("cnf") != nil {
        context.warn([
          "binding: the credential is bound to its holder's key and no key-binding JWT is there, so whoever has a "
            + "copy can present it; demand one"
        ])
      }
      return context.skip(.binding, because: "no key binding was demanded")
    }
    if demand.nonce == nil {
      context.warn([
        "binding: no nonce is expected, so the presentation can be sent again within its time"
      ])
    }
    context.run(.binding) { context throws(TokenError) in
      guard let binding else {
        throw TokenError(.bindingMissing, expected: "a key-binding JWT behind the last ~")
      }
      try binding.check(demand, boundTo: payload, at: context.now, skew: context.skew)
      context.pass(.binding, node: "cnf.jwk", found: TokenError.excerpt(demand.audience))
    }
  }
}

extension Verified where Token == SelectiveDisclosureToken {
  /// Where each of the claims comes from, in their order.
  public var claimOrigins: [ClaimOrigin] { token.claimOrigins }
}
