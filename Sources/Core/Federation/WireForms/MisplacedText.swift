import Octets
import TokenErrors

/// Text that came in place of a token, or around one. It only chooses the words of an error: every
/// reader refuses the text without it too.
enum MisplacedText {
  /// `error`, which reading the octets gave, or one that says what they are.
  static func error(for octets: ArraySlice<UInt8>, instead error: TokenError) -> TokenError {
    switch error.code {
    case .inputTooLarge, .emptyInput, .formatMismatch, .deflateTooLarge: return error
    default:
      guard ["input", "xml", "signature"].contains(error.code.family) else { return error }
    }
    if let named = named(octets, error) { return named }
    let first = octets.first { !ASCII.isWhiteSpace($0) }
    // Attributes and members are named as fields are.
    guard first != ASCII.lessThan, first != UInt8(ascii: "{") else { return error }
    if let header = HeaderField.error(for: octets) {
      // Quotation marks and white space are what a Simple Web Token is refused for.
      guard error.code == .swtCharacter else { return header }
      return TokenError(
        error.code, node: error.node, expected: header.expected, found: header.found,
        hint: header.hint)
    }
    return FormField.error(for: octets)
      ?? inside(octets, error) ?? quoted(octets, error)
  }

  /// The error for octets that are something else as a whole.
  private static func named(_ octets: ArraySlice<UInt8>, _ error: TokenError) -> TokenError? {
    switch ContentKind(octets) {
    case .html?:
      return TokenError(
        error.code, node: error.node, expected: "a token", found: ContentKind.html.name,
        hint: fieldOfPage(octets) ?? TokenError.Code.htmlPage.hint)
    case .utf16?:
      return isXML(utf16: octets)
        ? TokenError(
          .xmlEncoding, expected: "UTF-8", found: ContentKind.utf16.name,
          hint: TokenError.Code.utf16Input.hint)
        : TokenError(.utf16Input, expected: "UTF-8", found: ContentKind.utf16.name)
    case .json?: return json(octets)
    case .xml?:
      return error.code == .unexpectedRoot && isMetadata(octets)
        ? error.hinting(
          "this is SAML metadata, which holds keys and no token: name it with "
            + "--metadata")
        : nil
    case .pem?:
      return TokenError(.notAToken, expected: "a token", found: "a key or certificate in PEM")
    case let kind? where kind.isCompressed:
      return TokenError(.compressedInput, expected: "a token", found: kind.name)
    default: return nil
    }
  }

  /// A page that posts itself holds the token in a hidden field.
  private static func fieldOfPage(_ octets: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: octets.prefix(1 << 16), as: UTF8.self)
    guard let name = FormField.names.first(where: { text.contains("\"\($0)\"") }) else {
      return nil
    }
    return "the page posts a form: pass the value of its field \(name) alone"
  }

  private static func isXML(utf16 octets: ArraySlice<UInt8>) -> Bool {
    octets.first { $0 != 0 && $0 < 0x80 && !ASCII.isWhiteSpace($0) } == ASCII.lessThan
  }

  private static func json(_ octets: ArraySlice<UInt8>) -> TokenError? {
    guard let json = try? JSONParser.parse(Array(octets)), json["securityToken"] == nil else {
      return nil
    }
    let fields = FormField.names.filter { json[$0]?.string != nil }
    if !fields.isEmpty {
      return TokenError(
        .jsonMembers, expected: "the token alone",
        found: "the member \(fields.joined(separator: ", "))",
        hint: "pass the value of \(fields.joined(separator: " or ")) alone, without quotes")
    }
    let kinds = [
      ("keys", "a JWK set", "name it as a key: --key jwks:PATH"),
      ("kty", "a JWK", "name it as a key: --key jwks:PATH"),
      ("jwks_uri", "a discovery document of OpenID Connect", "fetch the keys at its jwks_uri"),
      ("issuers", "a trust file", "name it with --trust"),
      ("error", "an error of a server", "the server gave no token: its members say why"),
    ]
    for (member, name, hint) in kinds where json[member] != nil {
      return TokenError(.notAToken, expected: "a token", found: name, hint: hint)
    }
    return nil
  }

  /// Whether the first tag is that of metadata.
  private static func isMetadata(_ octets: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: octets.prefix(1 << 12), as: UTF8.self)
    guard let root = text.firstRange(of: /<[A-Za-z_][^\s>]*/) else { return false }
    return text[root].hasSuffix("EntityDescriptor") || text[root].hasSuffix("EntitiesDescriptor")
  }

  /// What is in base64 in place of XML.
  private static func inside(_ octets: ArraySlice<UInt8>, _ error: TokenError) -> TokenError? {
    guard error.code == .malformedDeflate || error.code == .unrecognizedInput,
      let content = try? Base64.decode(octets.span, whiteSpace: .skipped),
      let kind = ContentKind(content)
    else { return nil }
    switch kind {
    case .zlib:
      return TokenError(
        error.code, node: error.node, expected: "raw DEFLATE (RFC 1951) in base64",
        found: "a zlib stream in base64",
        hint: "the Redirect binding has no zlib header: leave out two bytes before the stream and "
          + "four behind it")
    case .gzip, .zip:
      return TokenError(
        error.code, node: error.node, expected: "XML in base64",
        found: "\(kind.name) in base64",
        hint: "decode the base64 and decompress what is inside")
    case .html:
      return TokenError(
        error.code, node: error.node, expected: "XML in base64", found: "an HTML page in base64",
        hint: TokenError.Code.htmlPage.hint)
    case .compactJWS:
      return error.hinting("inside the base64 is a JSON Web Token: decode it once")
    case .utf16:
      return TokenError(
        .xmlEncoding, expected: "UTF-8", found: "UTF-16 in base64",
        hint: TokenError.Code.utf16Input.hint)
    default: return nil
    }
  }

  private static func quoted(_ octets: ArraySlice<UInt8>, _ error: TokenError) -> TokenError {
    let text = octets.drop { ASCII.isWhiteSpace($0) }
    if let first = text.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return error.hinting("take the quotation marks off")
    }
    if error.code == .malformedBase64,
      text.count < octets.count || text.last.map(ASCII.isWhiteSpace) == true
    {
      return error.hinting("white space around the token is no part of it: leave it out")
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      return error.hinting("a byte order mark before the token is no part of it: leave it out")
    }
    if text.prefix(3).equalsIgnoringCase("%3c") {
      return error.hinting("the text is percent-encoded XML: decode it once")
    }
    return error
  }
}
