import Octets

/// What stands in a token and says nothing about anyone: texts of standards and truth values.
enum PublicText {
  /// - Parameter text: Without white space around it.
  static func isPublic(_ text: ArraySlice<UInt8>, _ keeping: Replacer.Keeping) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    if text.isEmpty || text == "true" || text == "false" { return true }
    switch keeping {
    case .names: return uris.contains(text)
    // The short names among them have no colon.
    case .identifiers: return uris.contains(text) && text.utf8.contains(UInt8(ascii: ":"))
    case .nothing: return false
    }
  }

  static func trimmed(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    var rest = octets[...]
    while let first = rest.first, ASCII.isWhiteSpace(first) { rest.removeFirst() }
    while let last = rest.last, ASCII.isWhiteSpace(last) { rest.removeLast() }
    return rest
  }

  /// Characters of times and versions, right or wrong.
  static func isTimeCharacter(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isWhiteSpace(byte)
      || [ASCII.plus, UInt8(ascii: "T"), UInt8(ascii: "Z")].contains(byte)
      || [UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
  }

  static func isVersion(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || byte == UInt8(ascii: ".") }

  static let schemes: Set<String> = ["http", "https", "urn", "mailto", "spn", "ldap", "data"]

  private static func listed(_ prefix: String, _ names: String) -> [String] {
    names.split(separator: " ").map { prefix + $0 }
  }

  /// Whole URIs and words of standards.
  static let uris: Set<String> = Set(
    SAMLText.uris + SecurityText.uris + ClaimTypeText.uris
      + listed(
        "",
        "jwt JWT at+jwt application/jwt application/at+jwt JOSE jose logout+jwt none HS256 HS384 HS512 RS256 RS384 RS512"
      )
      + listed("", "PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 RS1 Bearer"))

  /// Prefixes and local names that are kept in names.
  static let names: Set<String> = Set(
    """
    xml xmlns xs xsd xsi type nil lang space id string anyURI integer int boolean dateTime \
    base64Binary anyType token date saml saml1 saml2 saml2p samlp samlp1 ds dsig xenc xenc11 ec c14n \
    soap soap11 soap12 soapenv env S SOAP-ENV ecp paos s a e u o d t wst trust wsse wsu wsa wsp wsse11 md mdui alg fed auth n1 ns1 ns2 \
    RequestID ResponseID AssertionID NameIDType AssertionType Text Success Requester Responder \
    VersionMismatch ID Id default
    """.split(separator: " ").map(String.init))
}
