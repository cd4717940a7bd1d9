public import Federation

/// The session at the issuer that a token belongs to: what a logout message names, and when it ends.
public struct IssuerSession: Hashable, Sendable {
  /// SAML's `SessionIndex` or OpenID's `sid`.
  public var index: String?
  /// The SAML subject's name with its format and qualifiers, as a logout request has to repeat it.
  public var name: SubjectName?
  /// When the issuer wants the session ended (`SessionNotOnOrAfter`); nil for no end.
  public var end: Instant?

  /// A session with these parts.
  public init(index: String? = nil, name: SubjectName? = nil, end: Instant? = nil) {
    self.index = index
    self.name = name
    self.end = end
  }
}
