import Octets
import TokenBasics

/// Text that came in place of a token, or around one. It only chooses the words of an error: every
/// reader refuses the text without it too.
enum MisplacedText {
  /// `error`, which reading the octets gave, or one that says what they are.
  static func error(for octets: ArraySlice<UInt8>, instead error: TokenError) -> TokenError {
    switch error.code {
    case .inputTooLarge: return areLines(octets) ? error.hinting(lineHint) : error
    case .emptyInput, .formatMismatch, .deflateTooLarge: return error
    default:
      guard ["input", "xml", "signature"].contains(error.code.family) else { return error }
    }
    if areLines(octets) { return error.hinting(lineHint) }
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

  private static let lineHint = "each line holds a token of its own: read the input line by line"

  /// Whether the first two lines are a token each, bare or in an object.
  private static func areLines(_ octets: ArraySlice<UInt8>) -> Bool {
    let text = octets.drop { $0 == ASCII.lineFeed }
    guard text.first == UInt8(ascii: "{") || text.starts(with: "eyJ".utf8) else { return false }
    let lines = text.split(separator: ASCII.lineFeed, maxSplits: 2).prefix(2)
    return lines.count == 2
      && lines.allSatisfy { line in
        guard line.first == UInt8(ascii: "{") else {
          return line.starts(with: "eyJ".utf8) && line.count { $0 == UInt8(ascii: ".") } >= 2
        }
        guard let json = try? JSONParser.parse(Array(line)) else { return false }
        return json["token"]?.string != nil || json["token64"]?.string != nil
      }
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
          "this is SAML metadata, which holds keys and no token: it belongs to the trusted metadata"
        )
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
    let page = octets.prefix(1 << 16)
    let text = page.span
    var places: [Int] = []
    var index = 0
    while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: index) {
      index = quote + 1
      let range = index..<min(index + FormField.longest + 1, text.count)
      guard let end = text.firstIndex(of: UInt8(ascii: "\""), in: range) else { continue }
      if let place = FormField.place(of: text.extracting(index..<end)) { places.append(place) }
    }
    guard let name = places.min().map({ FormField.names[$0] }) else { return nil }
    return "the page posts a form: pass the value of its field \(name) alone"
  }

  private static func isXML(utf16 octets: ArraySlice<UInt8>) -> Bool {
    octets.first { $0 != 0 && $0 < 0x80 && !ASCII.isWhiteSpace($0) } == ASCII.lessThan
  }

  private static func json(_ octets: ArraySlice<UInt8>) -> TokenError? {
    guard let json = try? JSONParser.parse(Array(octets)), json["securityToken"] == nil else {
      return nil
    }
    if let error = serialization(json) { return error }
    let fields = FormField.names.map { "\($0)" }.filter { json[$0]?.string != nil }
    if !fields.isEmpty {
      return TokenError(
        .jsonMembers, expected: "the token alone",
        found: "the member \(fields.joined(separator: ", "))",
        hint: "pass the value of \(fields.joined(separator: " or ")) alone, without quotes"
          + (fields.contains("token") ? ", or read the input line by line" : ""))
    }
    let kinds = [
      ("keys", "a JWK set", "add it to the trusted keys, as jwks:PATH"),
      ("kty", "a JWK", "add it to the trusted keys, as jwks:PATH"),
      ("jwks_uri", "a discovery document of OpenID Connect", "fetch the keys at its jwks_uri"),
      ("issuers", "a trust file", "its place is that of a trust file"),
      ("error", "an error of a server", "the server gave no token: its members say why"),
    ]
    for (member, name, hint) in kinds where json[member] != nil {
      return TokenError(.notAToken, expected: "a token", found: name, hint: hint)
    }
    guard json["iss"] != nil || json["exp"] != nil else { return nil }
    return TokenError(
      .signatureMissing, expected: "a signed token", found: "claims without a signature")
  }

  /// The error for the JSON serialization of RFC 7515, 7.2, RFC 7516, 7.2 or RFC 9901, 8.
  private static func serialization(_ json: JSONValue) -> TokenError? {
    let isSigned = json["payload"] != nil && (json["signature"] ?? json["signatures"]) != nil
    guard isSigned || json["ciphertext"] != nil else { return nil }
    return TokenError(
      .jwsParts, expected: "the compact form",
      found: "the JSON serialization of \(isSigned ? "a signed" : "an encrypted") token",
      hint: "have the token sent in compact form, its parts joined by dots")
  }

  /// Whether the first tag is that of metadata.
  private static func isMetadata(_ octets: ArraySlice<UInt8>) -> Bool {
    let text = octets.prefix(1 << 12)
    let root = text.indices.dropLast().first { place in
      let next = text[place + 1]
      return text[place] == ASCII.lessThan && (ASCII.isLetter(next) || next == UInt8(ascii: "_"))
    }
    guard let root else { return false }
    let name = text[(root + 1)...].prefix { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ">") }
    return ["EntityDescriptor", "EntitiesDescriptor"].contains { end in
      name.suffix(end.utf8.count).hasBytes(of: end)
    }
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

/// HTTP header fields that carry a token.
enum HeaderField {
  /// The error for a header field or the value of one; nil for other text.
  static func error(for octets: ArraySlice<UInt8>) -> TokenError? {
    let text = octets.drop { ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: "\"") }
    for name: StaticString in fields where begins(text, name) {
      return TokenError(
        .headerField, expected: "the token alone", found: "the header field \(shown(name))",
        hint: "pass the token alone: what stands behind the scheme, such as Bearer")
    }
    for scheme: StaticString in schemes where begins(text, scheme) {
      return TokenError(
        .headerField, expected: "the token alone", found: shown(scheme),
        hint: "pass the token without \(shown(scheme)) before it")
    }
    return nil
  }

  private static let fields: [StaticString] = [
    "Authorization:", "Proxy-Authorization:", "X-Forwarded-Access-Token:", "X-Amzn-Oidc-Data:",
    "X-Amzn-Oidc-Accesstoken:", "Cookie:", "Set-Cookie:",
  ]

  private static let schemes: [StaticString] = [
    "Bearer ", "Bearer\t", "DPoP ", "WRAP ", "OAuth ", "JWT ", "SAML ", "Token ", "Bearer:",
    "Bearer%20",
  ]

  private static func begins(_ text: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    text.prefix(name.utf8CodeUnitCount).equalsIgnoringCase(name)
  }

  private static func shown(_ name: StaticString) -> String {
    String(name.description.prefix { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "%" })
  }
}

/// The fields of forms, addresses and JSON answers whose value is a token.
enum FormField {
  static let names: [StaticString] = [
    "SAMLResponse", "SAMLRequest", "SAMLart", "wresult", "id_token", "access_token",
    "wrap_access_token",
    "logout_token", "assertion", "wrap_assertion", "client_assertion", "subject_token",
    "id_token_hint",
    "securityToken", "refresh_token", "token", "jwt",
  ]

  /// The error for a form body, or an address with a query or fragment; nil for text without such a
  /// field, and for a Simple Web Token.
  static func error(for octets: ArraySlice<UInt8>) -> TokenError? {
    let text = octets.span
    guard let known = fields(text) else { return nil }
    guard let first = known.first else { return address(text) }
    return TokenError(
      .formFields, expected: "the token alone",
      found: "the field" + (known.count > 1 ? "s " : " ") + known.joined(separator: ", "),
      hint: advice(first))
  }

  private static func advice(_ name: String) -> String {
    switch name {
    case "SAMLart":
      "an artifact only names a message: the issuer's resolution service exchanges it for the token"
    case "SAMLResponse", "SAMLRequest":
      "pass the value of \(name) alone, up to the next &, percent-encoded or not"
    case "wresult": "pass the value of wresult alone, up to the next &, percent-decoded: it is XML"
    case "refresh_token":
      "a refresh token is for its issuer alone; pass the access token or the "
        + "ID token"
    default: "pass the value of \(name) alone, up to the next &"
    }
  }

  private static func address(_ text: Span<UInt8>) -> TokenError? {
    guard
      text.extracting(first: min(8, text.count)).hasPrefix("https://") || text.hasPrefix("http://")
    else { return nil }
    return TokenError(
      .notAToken, expected: "a token", found: "an address without a field that holds one",
      hint: "nothing is fetched: pass what the address gives")
  }

  /// Which ``names`` are before a `=`, each at the start or behind `?`, `&`, `#` or white space; nil where one is that of a
  /// Simple Web Token's MAC.
  private static func fields(_ text: Span<UInt8>) -> [String]? {
    var isThere = names.map { _ in false }
    var index = 0
    for _ in 0..<most {
      guard let equals = text.firstIndex(of: ASCII.equals, from: index) else { break }
      index = equals + 1
      var start = equals
      while start > 0, equals - start <= longest, isPartOfName(text[start - 1]) { start -= 1 }
      guard equals - start <= longest, start == 0 || text[start - 1] != ASCII.equals else {
        continue
      }
      let name = text.extracting(start..<equals)
      if name.hasBytes(of: "HMACSHA256") { return nil }
      if let place = place(of: name) { isThere[place] = true }
    }
    return zip(names, isThere).compactMap { name, isThere in isThere ? "\(name)" : nil }
  }

  /// Where among ``names`` a name is; nil for another one.
  static func place(of name: Span<UInt8>) -> Int? {
    for (place, known) in names.enumerated() where name.hasBytes(of: known) { return place }
    return nil
  }

  /// More fields than a form with a token has.
  private static let most = 1_024
  /// The longest name, with some more.
  static let longest = 32

  private static func isPartOfName(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "?"), ASCII.ampersand, UInt8(ascii: "#"), ASCII.equals, ASCII.space,
      ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn:
      false
    default: true
    }
  }
}
