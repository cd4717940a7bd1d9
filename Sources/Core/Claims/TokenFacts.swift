import Octets
public import TokenBasics

/// What a token states about itself besides its claims.
///
/// Texts are ranges of the token's octets, as those of claims are; a `String` is made on access.
public struct TokenFacts: Hashable, Sendable {
  /// The facts beside the claims, in one object: copying is one retain.
  package let table: ClaimTable

  /// Facts beside the claims of the same token.
  package init(_ claims: consuming ClaimTableBuilder, _ texts: FactTexts) {
    table = ClaimTable(claims, texts)
  }

  /// Facts of a token.
  public init(
    issuer: String = "", subject: String? = nil, audiences: [String] = [],
    notBefore: Instant? = nil, expires: Instant? = nil, tokenID: String? = nil
  ) {
    var builder = ClaimTableBuilder(over: [])
    let issuer = builder.add(issuer)
    let subject = subject.map { builder.add($0) }
    var texts = AudienceRestrictions()
    if !audiences.isEmpty { texts.beginRestriction() }
    for audience in audiences { texts.append(builder.add(audience)) }
    let tokenID = tokenID.map { builder.add($0) }
    self.init(
      builder,
      FactTexts(
        issuer: issuer, subject: subject, audiences: texts, notBefore: notBefore, expires: expires,
        tokenID: tokenID))
  }

  /// The claims of the same token.
  package var claims: ClaimSet { ClaimSet(table) }

  package var issuerText: ClaimText { table.facts.issuer }
  package var subjectText: ClaimText? { table.facts.subject }
  package var tokenIDText: ClaimText? { table.facts.tokenID }

  /// The start of validity, inclusive; nil for none.
  public var notBefore: Instant? { table.facts.notBefore }
  /// The end of validity, exclusive; nil for none.
  public var expires: Instant? { table.facts.expires }
  /// When the issuer made it, by its own clock: `IssueInstant` of SAML, `iat` of JWT. Nil where it does not say.
  public var issued: Instant? { table.facts.issued }

  /// The issuer's name; empty for none.
  public var issuer: String { table.string(issuerText) }

  /// The same in UTF-8.
  package var issuerBytes: ArraySlice<UInt8> {
    issuerText.isAdded ? table.added[issuerText.range] : table.octets[issuerText.range]
  }

  /// The subject: the name identifier of SAML, `sub` of JWT, the `nameidentifier` claim of SWT.
  public var subject: String? { subjectText.map(table.string) }

  /// The audiences in document order.
  public var audiences: [String] {
    (0..<audienceCount).compactMap { audienceText($0).map(table.string) }
  }

  /// Its identifier, unique at the issuer.
  public var tokenID: String? { tokenIDText.map(table.string) }

  /// The session at the issuer that the token belongs to: SAML's `SessionIndex`, of several the first
  /// (SAML Core 2.7.2). Nil for none, and in other formats.
  public var sessionIndex: String? { table.facts.sessionIndex.map(table.string) }

  /// When the issuer wants the session ended: SAML's `SessionNotOnOrAfter`, of several the earliest. Nil for
  /// none, and in other formats.
  public var sessionEnd: Instant? { table.facts.sessionEnd }

  /// Whether the issuer forbids to keep it for a second use: `OneTimeUse` of SAML 2.0 (Core 2.5.1.5), `DoNotCacheCondition` of
  /// SAML 1.1 (Core 2.3.2.1.4). False in other formats.
  public var isForOneUse: Bool { table.facts.isForOneUse }

  /// The audiences, by the restriction that names each.
  package var audienceRestrictions: AudienceRestrictions { table.facts.audiences }

  package var audienceCount: Int { audienceRestrictions.audienceCount }

  package func audienceText(_ position: Int) -> ClaimText? {
    audienceRestrictions.audience(position)
  }

  /// Whether all facts are the same, texts byte for byte. Claims are not compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.issuer.hasSameBytes(as: right.issuer)
      && left.subject.hasSameBytes(as: right.subject)
      && left.audiences.elementsEqual(right.audiences) { $0.hasSameBytes(as: $1) }
      && left.notBefore == right.notBefore && left.expires == right.expires
      && left.tokenID.hasSameBytes(as: right.tokenID)
  }

  /// Hashes issuer and end of validity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(issuer)
    hasher.combine(expires)
  }
}
