import Octets

/// What stands in a token and says nothing about anyone: texts of standards, instants, truth values.
enum PublicText {
  static func isPublic(_ octets: [UInt8]) -> Bool {
    let text = String(decoding: octets, as: UTF8.self)
    let trimmed = String(decoding: trimmed(octets), as: UTF8.self)
    return trimmed.isEmpty || trimmed == "true" || trimmed == "false"
      || isInstant(Array(trimmed.utf8)) || uris.contains(trimmed) || text == "HMACSHA256"
  }

  private static func trimmed(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    var rest = octets[...]
    while let first = rest.first, ASCII.isWhiteSpace(first) { rest.removeFirst() }
    while let last = rest.last, ASCII.isWhiteSpace(last) { rest.removeLast() }
    return rest
  }

  /// A date and time as XML Schema and RFC 3339 write it, whatever the numbers.
  static func isInstant(_ octets: [UInt8]) -> Bool {
    let shape = Array("0000-00-00T00:00:00".utf8)
    guard octets.count >= shape.count, octets.count <= 40 else { return false }
    for (byte, wanted) in zip(octets, shape) {
      guard wanted == UInt8(ascii: "0") ? ASCII.isDigit(byte) : byte == wanted else { return false }
    }
    return octets[shape.count...].allSatisfy { isTimeCharacter($0) }
  }

  /// Characters of times and versions, right or wrong.
  static func isTimeCharacter(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isWhiteSpace(byte)
      || [UInt8(ascii: "T"), UInt8(ascii: ","), UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "."), ASCII.plus]
        .contains(byte) || byte == UInt8(ascii: "-")
  }

  static let schemes: Set<String> = ["http", "https", "urn", "mailto", "spn", "ldap", "data"]

  private static func listed(_ prefix: String, _ names: String) -> [String] {
    names.split(separator: " ").map { prefix + $0 }
  }

  /// Whole URIs and words of standards.
  static let uris: Set<String> = Set(
    SAMLText.uris + SecurityText.uris + ClaimTypeText.uris
      + listed("", "jwt JWT at+jwt JOSE jose logout+jwt none HS256 HS384 HS512 RS256 RS384 RS512")
      + listed("", "PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 RS1 Bearer"))

  /// Prefixes and local names that are kept in names.
  static let names: Set<String> = Set(
    """
    xml xmlns xs xsd xsi type nil lang space id string anyURI integer int boolean dateTime \
    base64Binary anyType token date saml saml1 saml2 saml2p samlp samlp1 ds dsig xenc xenc11 ec c14n \
    soap soapenv s a e u o d t wst trust wsse wsu wsa wsp wsse11 md mdui alg fed auth n1 ns1 ns2 \
    NameIDType AssertionType Text ID Id default
    """.split(separator: " ").map(String.init))
}
