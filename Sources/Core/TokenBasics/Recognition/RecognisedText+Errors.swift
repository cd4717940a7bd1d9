import Octets

extension RecognisedText {
  /// `error`, which reading a token gave, or one that says what the octets are.
  package static func tokenError(
    for octets: ArraySlice<UInt8>, at place: TextPlace = .token, instead error: TokenError
  ) -> TokenError {
    switch error.code {
    case .emptyInput, .formatMismatch, .deflateTooLarge: return error
    case .inputTooLarge:
      let text = TokenText.severalLines(TextSample(octets))
      return text.flatMap { TextAdvice.hint($0, at: place) }.map(error.hinting) ?? error
    default:
      // Two signed tokens, or one with three dots in it, have the dots of an encrypted one.
      guard
        ["input", "xml", "signature", "disclosure"].contains(error.code.family)
          || error.code == .encryptionAlgorithm
      else { return error }
    }
    // A message of Access Control Service stays one, and what is wrong in it is said.
    var text = of(octets)
    // Behind base64 and DEFLATE, which only the reader undoes.
    if error.code == .unexpectedRoot, let request = Self.request(root: error.found) {
      text = request
    }
    guard let hint = TextAdvice.hint(text, at: place), text.isBetter(than: error, octets) else {
      guard text.kind == .other, error.code == .unrecognizedInput, error.found == nil else {
        return error
      }
      // Without a known kind, the structure says something.
      var described = error
      described.found = text.name
      return described
    }
    // Parts of base64url are what a compact token has: one has too many or too few.
    let isParts =
      error.code == .jwsParts
      && octets.allSatisfy { TextSample.isDigit($0) || ".=".utf8.contains($0) }
    return text.tokenError(error, as: isParts ? error.code : text.code(of: error, octets), hint)
  }

  /// A message of SAML that carries no assertion, by its root element in quotation marks.
  private static func request(root: String?) -> RecognisedText? {
    switch root {
    case "\"AuthnRequest\"":
      return RecognisedText(.samlRequest, name: "a SAML request (AuthnRequest)")
    case "\"LogoutRequest\"", "\"LogoutResponse\"":
      var text = RecognisedText(
        .samlRequest, name: "a message of SAML (\(TokenError.unquoted(root ?? "")))")
      text.remark =
        "this message ends a session, and carries no assertion: the token is the SAMLResponse of "
        + "the sign-in"
      return text
    default: return nil
    }
  }

  /// Whether the recognised kind says more than the error, which may name the very place of what is wrong.
  private func isBetter(than error: TokenError, _ octets: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .json, .jsonMember:
      if !tokens.isEmpty, kind == .json {
        return octets.firstRange(ofBytes: "securityToken") == nil
      }
      return (try? JSONParser.parse(Array(octets)))?["securityToken"] == nil
        && (kind == .jsonMember || error.code == .jsonMember)
    case .xml, .token: return false
    // An assertion may hold others.
    case .severalTokens where octets.first == ASCII.lessThan: return error.code == .malformedXML
    case .otherFields, .principal: return !octets.starts(with: "ey".utf8)
    case .cut: return error.ownHint == nil
    // The data of the Redirect binding are whole, and something stands behind them.
    case .opaqueToken where error.code == .malformedDeflate: return error.found == nil
    // The header of a compact token was read.
    case .opaqueToken: return error.code != .jsonMember
    case .textAroundToken, .table, .settingsFile, .sourceText, .errorMessage, .log, .prose, .yaml:
      return !Self.beginsAsToken(octets)
    case .metadata, .soapFault: return error.ownHint == nil
    default: return true
    }
  }

  /// Whether a text begins as a compact token or as pairs of a Simple Web Token: then it has the token's own fault.
  private static func beginsAsToken(_ octets: ArraySlice<UInt8>) -> Bool {
    if octets.starts(with: "ey".utf8) { return true }
    let word = octets.prefix { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: "\"") }
    return word.contains(ASCII.equals) && word.contains(ASCII.ampersand)
  }

  private func tokenError(
    _ error: TokenError, as code: TokenError.Code, _ hint: String
  ) -> TokenError {
    TokenError(
      code, node: keepsPlace ? node ?? error.node : nil,
      expected: keepsPlace && node == nil ? error.expected ?? "a token" : expectation,
      found: shown, hint: hint)
  }

  /// Whether the place that reading found is one in the text, and not in what it was taken for.
  private var keepsPlace: Bool {
    switch kind {
    case .cut, .invisible, .typographic, .lostPlus, .metadata, .soapFault, .otherFields: true
    case .page, .signInPage, .errorPage, .formPage: true
    case .samlRequest: detail == nil
    default: node != nil
    }
  }

  private var expectation: String {
    guard tokens.isEmpty else { return "the token alone" }
    return switch kind {
    case .headerField, .headerBlock, .formFields, .jsonMember, .archive, .walletAnswer, .command,
      .logLine, .textAroundToken, .environment:
      "the token alone"
    case .jsonSerialization: "the compact form"
    case .userInfo: "a signed token"
    case .utf16: "UTF-8"
    case .zlib where form == .base64OfText: "raw DEFLATE (RFC 1951) in base64"
    case .gzip, .zip, .signInPage, .errorPage, .page:
      form == .base64OfText ? "XML in base64" : "a token"
    case .severalTokens: "one token"
    case .shortened, .masked, .cut, .withoutSignature, .withoutBeginning, .lostPart, .changedCase:
      "the whole token"
    default: "a token"
    }
  }

  /// The code of the cause. It is what reading gave, unless the text as a whole has the structure of another thing: what
  /// is only likely chooses words and no code.
  private func code(of error: TokenError, _ octets: ArraySlice<UInt8>) -> TokenError.Code {
    switch kind {
    case .credentials, .principal, .signInRequest, .otherDocument:
      // An address or another word; a document keeps the error of its format.
      return TextSample(octets).words.count == 1 && !"{[<".utf8.contains(octets.first ?? 0)
        ? .notAToken : error.code
    case .opaqueToken where RequestText.isHeader(octets): return .headerField
    case .severalTokens where RequestText.isHeader(octets): return .headerField
    case .opaqueToken where Self.isWord(octets):
      // Any letters and digits are base64 of something.
      return [.malformedBase64, .malformedDeflate].contains(error.code) ? .notAToken : error.code
    case .headerField, .headerBlock, .otherScheme, .basicCredentials, .cookie:
      // Quotation marks and white space are what a Simple Web Token is refused for.
      return error.code == .swtCharacter ? error.code : .headerField
    case .formFields, .artifact: return detail == nil ? .notAToken : .formFields
    case .samlRequest where detail != nil: return .formFields
    case .bareRequest where !tokens.isEmpty:
      return error.code == .swtCharacter ? error.code : .headerField
    case .log where !tokens.isEmpty: return .surroundedToken
    case .jsonMember, .archive, .walletAnswer: return .jsonMembers
    case .jsonSerialization: return .jwsParts
    case .userInfo: return .signatureMissing
    case .command, .logLine, .pemAroundToken, .environment: return .surroundedToken
    case .gzip, .zlib, .zip: return form == .base64OfText ? error.code : .compressedInput
    case .utf16:
      return form == .base64OfText || detail == "XML" ? .xmlEncoding : .utf16Input
    default: return isOtherThing ? .notAToken : error.code
    }
  }

  /// Whether it is one short word of letters and digits: a message in base64 is longer.
  private static func isWord(_ octets: ArraySlice<UInt8>) -> Bool {
    let word = TextSample(octets).octets
    return word.count <= 256 && word.contains(where: ASCII.isLetter)
      && word.contains(where: ASCII.isDigit)
      && word.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0) }
  }

  /// Whether its structure shows that it is no token, whole or damaged.
  private var isOtherThing: Bool {
    switch kind {
    case .page, .signInPage, .errorPage, .formPage, .json, .xml, .metadata, .soapFault, .other,
      .binary, .empty, .derOfAnotherKind, .path, .yaml, .shortened, .masked, .cut,
      .withoutSignature, .lostPlus, .invisible, .typographic, .dataAddress, .prose, .keyValue,
      .certificateInXML, .wsdl, .errorMessage, .log, .sourceText, .table, .settingsFile,
      .samlRequest, .otherDocument, .credentials, .signInRequest, .principal, .passwordHash,
      .otherFields, .jsonLines, .cborToken, .propertyList, .privateText, .byteArray, .shownEnds,
      .withoutBeginning, .lostPart, .changedCase, .cookiePieces, .ticket, .markupInside,
      .numberedLines, .terminalText, .percentEncoded, .privateKeyText, .mailKey, .metadataInside,
      .surrogate:
      false
    // Only a prefix tells one from a token that is broken.
    case .opaqueToken, .apiKey, .refreshToken: detail != nil
    default: !kind.holdsToken && tokens.isEmpty
    }
  }

  /// `error`, which a text gave where an XML document is meant, with what the text is.
  package static func documentError(_ error: TokenError, _ octets: [UInt8]) -> TokenError {
    guard error.code.family == "xml" || error.code.family == "input", error.ownHint == nil else {
      return error
    }
    let text = of(octets)
    if text.kind == .token {
      guard TokenShape(TextSample(octets).octets) == .base64OfXML else { return error }
      return TokenError(
        error.code, node: error.node, expected: "XML", found: "base64 of XML",
        hint: "decode the base64 first: base64 -d FILE")
    }
    guard ![.xml, .other, .metadata, .utf16].contains(text.kind) || text.form != .plain else {
      return error
    }
    return TokenError(
      error.code, node: error.node, expected: "XML", found: text.shown,
      hint: TextAdvice.hint(text, at: .token))
  }

  /// `error`, which a file gave where metadata is meant, with what the file is.
  ///
  /// - Parameter beginning: The first bytes of the file.
  package static func metadataError(_ error: TokenError, _ beginning: [UInt8]) -> TokenError {
    guard ["input", "xml"].contains(error.code.family) || error.code == .notMetadata else {
      return error
    }
    let text = of(beginning)
    // What begins as XML is told by the place of its error.
    if text.kind == .other, !beginning.starts(with: "<".utf8), error.node != nil {
      return TokenError(
        error.code, node: error.node, expected: TextPlace.metadata.expected, found: text.name,
        hint: "metadata is XML, which begins with <; \(TextPlace.metadata.remedy)")
    }
    let isKnown = text.kind != .xml || error.code == .notMetadata
    guard isKnown && ![.metadata, .other, .utf16].contains(text.kind) || text.form != .plain else {
      return error
    }
    let hint = text.kind == .empty ? "the file is empty: name the metadata of the issuer" : nil
    return TokenError(
      error.code, node: error.node, expected: TextPlace.metadata.expected, found: text.shown,
      hint: hint ?? TextAdvice.hint(text, at: .metadata))
  }

  /// `error`, which a file gave where a key or a document is meant, with what the file is.
  package static func fileError(
    _ error: TokenError, _ bytes: some Collection<UInt8>, at place: TextPlace,
    general: String? = nil
  ) -> TokenError {
    guard error.ownHint == nil else { return error }
    let text = of(bytes)
    return TokenError(
      error.code, node: error.node, expected: error.expected ?? place.expected,
      found: text.kind == .other
        ? error.found ?? "\(text.name), which is neither" : text.shown,
      hint: TextAdvice.hint(text, at: place) ?? general)
  }

  /// `error`, which a name of a file gave, with what to do where the name is an address.
  package static func nameError(
    _ error: TokenError, _ name: String, at place: TextPlace
  ) -> TokenError {
    guard error.code == .unreadableFile, AddressText.isRemote(name) else { return error }
    let text = RecognisedText(.address, name: "an address")
    return TokenError(
      error.code, node: error.node, expected: "the name of a file", found: text.shown,
      hint: TextAdvice.hint(text, at: place))
  }
}
