import Octets

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
