import Octets
public import TokenBasics

/// The content of a token that is about to be issued, in any format.
///
/// The same draft gives the same token, bit by bit, where the signature algorithm allows it: there is
/// no clock and no random number behind it.
public struct TokenDraft: Hashable, Sendable {
  /// The issuer's name.
  public var issuer: String
  /// The audiences.
  public var audiences: [String]
  /// The subject; nil for none.
  public var subject: String?
  /// The claims in the order in which the token shall have them. Their types and values are written,
  /// the original issuer is not, and the value type only in a JWT, which writes JSON as JSON.
  public var claims: ClaimSet
  /// When it is issued.
  public var issuedAt: Instant
  /// From when on it is valid; nil for ``backdating`` seconds before it is issued. A Simple Web Token
  /// has no place for it.
  public var notBefore: Instant?
  /// Seconds from its issuing to its end.
  public var lifetime: Int
  /// Its identifier; formats without one leave it out.
  public var id: String
  /// Claim types that a JSON Web Token writes as an array even where there is one value, such as `groups` (RFC 9068, 2.2.3.1).
  package var listTypes: Set<ClaimType> = []

  /// A draft. Without `id` the token gets an identifier of 160 random bits.
  public init(
    issuer: String, audiences: [String], subject: String? = nil, claims: ClaimSet = ClaimSet(),
    issuedAt: Instant, notBefore: Instant? = nil, lifetime: Int = TokenDraft.defaultLifetime,
    id: String = TokenDraft.unpredictableID()
  ) {
    self.issuer = issuer
    self.audiences = audiences
    self.subject = subject
    self.claims = claims
    self.issuedAt = issuedAt
    self.notBefore = notBefore
    self.lifetime = lifetime
    self.id = id
  }

  /// When the token begins to be valid.
  public var validFrom: Instant {
    notBefore ?? issuedAt.advanced(bySeconds: -Int64(Self.backdating))
  }

  /// When the token ceases to be valid.
  public var expires: Instant { issuedAt.advanced(bySeconds: Int64(lifetime)) }

  /// Seconds: 600, the default of ACS.
  public static let defaultLifetime = 600
  /// Seconds: 60. Some readers refuse a token from a clock that is a second ahead of theirs.
  public static let backdating = 60
  /// Seconds: from one to ten years. A token is short-lived; more is a slip of the unit.
  public static let lifetimeRange = 1...315_360_000

  /// An identifier of 160 random bits from the system's generator, an XML name: SAML Core 1.3.4 asks
  /// for 128 or more.
  public static func unpredictableID() -> String {
    "_" + Hex.encode(SystemRandom.octets(20))
  }

  /// Checks what holds in every format.
  ///
  /// - Throws: `policy.mint-empty`, `policy.mint-character`, `policy.mint-lifetime`,
  ///   `policy.mint-subject-twice`.
  package func check() throws(TokenError) {
    try Self.checkName(issuer, "issuer")
    guard !audiences.isEmpty else { throw TokenError(.mintEmpty, node: "audience") }
    for audience in audiences { try Self.checkName(audience, "audience") }
    if let subject {
      try Self.checkName(subject, "subject")
      // Readers show the subject as this claim: two of them would be two subjects.
      guard claims[.nameIdentifier].isEmpty else {
        throw TokenError(.mintSubjectTwice, node: "claim \(ClaimType.nameIdentifier)")
      }
    }
    let table = claims.table
    for number in table.types.indices {
      let type = table.types[number].text
      try Self.checkName(table.octets(of: type).span.extracting(type.range), "claim type")
    }
    guard Self.lifetimeRange.contains(lifetime) else {
      throw TokenError(
        .mintLifetime, node: "lifetime", expected: "1 to \(Self.lifetimeRange.upperBound) seconds",
        found: "\(lifetime)")
    }
    // Time ends with the year 9999.
    guard expires > issuedAt else {
      throw TokenError(.mintLifetime, node: "lifetime", expected: "an end before the year 10000")
    }
    guard expires > validFrom else {
      throw TokenError(
        .mintLifetime, node: "not before", expected: "an instant before \(expires.rfc3339)",
        found: validFrom.rfc3339)
    }
  }

  /// Checks a text that readers compare or collapse: not empty, no control character, no white space
  /// at either end, so that it comes out as it went in.
  ///
  /// - Throws: `policy.mint-empty`, `policy.mint-character`.
  package static func checkName(_ text: String, _ node: String) throws(TokenError) {
    try checkName(text.utf8.span, node)
  }

  private static func checkName(_ text: Span<UInt8>, _ node: String) throws(TokenError) {
    guard !text.isEmpty else { throw TokenError(.mintEmpty, node: node) }
    guard text[0] != ASCII.space, text[text.count - 1] != ASCII.space,
      ASCII.isPrintable(text) || !Bytes.string(text).unicodeScalars.contains(where: \.isControl)
    else {
      throw TokenError(
        .mintCharacter, node: node, expected: "no control character, no space at an end")
    }
  }
}
