public import Instants
package import Octets

/// What a token says of itself besides its claims.
///
/// Texts are places in the token's octets, as those of claims are; a `String` is made when one is asked
/// for.
public struct TokenFacts: Hashable, Sendable {
  package let table: ClaimTable
  package let issuerText: ClaimText
  package let subjectText: ClaimText?
  package let tokenIDText: ClaimText?
  private let audienceTexts: ShortList<ClaimText>
  /// From when on it is valid.
  public let notBefore: Instant?
  /// From when on it is no longer valid.
  public let expires: Instant?

  /// Facts whose texts `table` has.
  package init(
    _ table: ClaimTable, issuer: ClaimText, subject: ClaimText?, audiences: ShortList<ClaimText>,
    notBefore: Instant? = nil, expires: Instant?, tokenID: ClaimText? = nil
  ) {
    self.table = table
    issuerText = issuer
    subjectText = subject
    audienceTexts = audiences
    self.notBefore = notBefore
    self.expires = expires
    tokenIDText = tokenID
  }

  /// Facts of a token.
  public init(
    issuer: String = "", subject: String? = nil, audiences: [String] = [],
    notBefore: Instant? = nil, expires: Instant? = nil, tokenID: String? = nil
  ) {
    var texts = ClaimTableBuilder(over: [])
    let issuer = texts.add(issuer)
    let subject = subject.map { texts.add($0) }
    var audienceTexts = ShortList<ClaimText>()
    for audience in audiences { audienceTexts.append(texts.add(audience)) }
    let tokenID = tokenID.map { texts.add($0) }
    self.init(
      ClaimTable(texts), issuer: issuer, subject: subject, audiences: audienceTexts,
      notBefore: notBefore, expires: expires, tokenID: tokenID)
  }

  /// Who issued it.
  public var issuer: String { table.string(issuerText) }

  /// The same in UTF-8.
  package var issuerBytes: ArraySlice<UInt8> {
    issuerText.isAdded ? table.added[issuerText.range] : table.octets[issuerText.range]
  }

  /// Whom it is about: the name identifier of SAML, `sub` of JWT, the `nameidentifier` claim of SWT.
  public var subject: String? { subjectText.map(table.string) }

  /// Whom it is for, in document order.
  public var audiences: [String] {
    (0..<audienceCount).compactMap { audienceText($0).map(table.string) }
  }

  /// Its identifier, unique at the issuer.
  public var tokenID: String? { tokenIDText.map(table.string) }

  package var audienceCount: Int { audienceTexts.count }

  package func audienceText(_ position: Int) -> ClaimText? { audienceTexts[position] }

  /// Whether one of the audiences is one of `names`, byte for byte.
  func isFor(oneOf names: [String]) -> Bool {
    for position in 0..<audienceCount {
      guard let audience = audienceText(position) else { return false }
      if names.contains(where: { table.hasBytes(audience, of: $0) }) { return true }
    }
    return false
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.issuer.hasSameBytes(as: right.issuer) && left.subject == right.subject
      && left.audiences == right.audiences && left.notBefore == right.notBefore
      && left.expires == right.expires && left.tokenID == right.tokenID
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(issuer)
    hasher.combine(expires)
  }
}
