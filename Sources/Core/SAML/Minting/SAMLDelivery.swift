import Octets
public import TokenBasics

/// How a SAML assertion is delivered: the values of its confirmation, its authentication statement and the
/// response around it, and the format of its attribute names.
public struct SAMLDelivery: Hashable, Sendable {
  /// The address that the token is delivered to. A browser sign-in of SAML 2.0 must have one (SAML
  /// Profiles 4.1.4.2).
  public var recipient: String?
  /// The request to which the token responds.
  public var inResponseTo: String?
  /// The `Format` of the subject's name; nil for unspecified.
  public var nameFormat: String?
  /// Who made the subject's name, and for whom (`NameQualifier` and `SPNameQualifier`); nil for neither. SAML 1.1 has the
  /// first alone.
  public var nameQualifier: String?
  /// The service provider for which the subject has its name.
  public var spNameQualifier: String?
  /// When the subject signed in; nil for the time of issue, which is right for an issuer that has just signed the subject
  /// in itself.
  public var authenticatedAt: Instant?
  /// How the subject signed in: the class reference of SAML 2.0 or the method of SAML 1.1; nil for
  /// unspecified.
  public var authenticationMethod: String?
  /// The identity providers that signed the subject in where the issuer did not do so itself, the last one at the end
  /// (`AuthenticatingAuthority`; SAML Core 2.7.2.2). SAML 2.0 alone has them.
  public var authorities: [String] = []
  /// The session at the issuer, which a reader names when it logs the subject out (SAML Core 2.7.2,
  /// 3.7.1); nil for the assertion's identifier with `-session` behind it. SAML 2.0 alone has it.
  public var sessionIndex: String?
  /// When a reader ends the session (`SessionNotOnOrAfter`; SAML Core 2.7.2); nil for no end. SAML 2.0 alone has it.
  public var sessionEnd: Instant?
  /// Whether a reader may not keep the assertion for a second use (`OneTimeUse`, `DoNotCacheCondition`).
  public var isForOneUse = false
  /// The `NameFormat` of the attributes. SAML 2.0 alone has it.
  public var attributeNameFormat: AttributeNameFormat

  /// A delivery; what is left out is not written.
  public init(
    recipient: String? = nil, inResponseTo: String? = nil, nameFormat: String? = nil,
    authenticationMethod: String? = nil, sessionIndex: String? = nil,
    attributeNameFormat: AttributeNameFormat = .byName
  ) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
    self.nameFormat = nameFormat
    self.authenticationMethod = authenticationMethod
    self.sessionIndex = sessionIndex
    self.attributeNameFormat = attributeNameFormat
  }
}

/// The `NameFormat` of a minted SAML 2.0 attribute (SAML Core 8.2).
public enum AttributeNameFormat: Hashable, Sendable {
  /// ``uri`` for each name that is an absolute URI, ``basic`` for any other.
  case byName
  /// The same format for every attribute.
  case named(String)
  /// None, which readers take for ``unspecified``.
  case omitted

  /// `urn:oasis:names:tc:SAML:2.0:attrname-format:uri`.
  public static let uri = Self.named(prefix + "uri")
  /// `urn:oasis:names:tc:SAML:2.0:attrname-format:basic`.
  public static let basic = Self.named(prefix + "basic")
  /// `urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified`.
  public static let unspecified = Self.named(prefix + "unspecified")

  private static let prefix = "urn:oasis:names:tc:SAML:2.0:attrname-format:"

  /// The format of an attribute of that name; nil for none.
  func uri(of name: String) -> String? {
    switch self {
    case .byName: (Self.isURI(name) ? Self.uri : Self.basic).uri(of: name)
    case .named(let uri): uri
    case .omitted: nil
    }
  }

  /// Whether it begins with a scheme and a colon (RFC 3986, 3.1).
  private static func isURI(_ name: String) -> Bool {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = name.utf8[..<colon]
    guard let first = scheme.first, ASCII.isLetter(first) else { return false }
    return scheme.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0)
    }
  }

  private static let marks = Array("+-.".utf8)
}
