import Octets
import TokenBasics
import XMLSecurity
import XMLTree

/// Removes the encoding layers of a token one by one and reads the content.
struct WireReader {
  let limits: Limits
  let pinned: PinnedFormat?
  /// Whether a JSON Web Token may have an empty signature: for what shows a token and judges nothing.
  var readsUnsigned = false
  /// Whether an error names what the text is in place of a token (``RecognisedText``), which costs more than the reading.
  var namesOtherTexts = true

  func read(_ octets: consuming ArraySlice<UInt8>) throws(TokenError) -> AnyToken {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw RecognisedText.tokenError(
        for: octets,
        instead: TokenError(
          .inputTooLarge, expected: "at most \(limits.bytes) bytes",
          found: "\(octets.count) bytes"))
    }
    guard !octets.isAllWhiteSpace else { throw TokenError(.emptyInput) }
    do throws(TokenError) {
      return try token(in: octets)
    } catch {
      throw namesOtherTexts ? RecognisedText.tokenError(for: octets, instead: error) : error
    }
  }

  private func token(in octets: ArraySlice<UInt8>) throws(TokenError) -> AnyToken {
    switch form(of: octets) {
    case .xml:
      // With room for the NUL that the parser appends: a long document is not copied twice.
      var document: [UInt8] = []
      document.reserveCapacity(octets.count + 1)
      document.append(contentsOf: octets)
      return try checked(xml(consume document))
    case .json:
      return try checked(NotifyMessage.read(Array(octets), self))
    case .base64:
      return try checked(xml(unpacked(octets).octets))
    case .percentEncodedBase64:
      let base64 = try FormEncoding.decode(octets, plus: .isPlus)
      return try checked(xml(unpacked(base64[...]).octets))
    case .pairs:
      let token = try SimpleWebToken(parsing: octets, limits: limits)
      try check(.swt)
      return .swt(token)
    case .compactJWS:
      return try checked(
        AnyToken(compact: Array(octets), limits: limits, readsUnsigned: readsUnsigned))
    case .unknown:
      throw TokenError(.unrecognizedInput)
    }
  }

  /// The pinned form, or else the form of the bytes.
  func form(of octets: ArraySlice<UInt8>) -> WireForm {
    switch pinned {
    case .swt: .pairs
    case .jwt, .sdjwt: .compactJWS
    default: WireForm.recognise(octets)
    }
  }

  /// The token in an envelope.
  ///
  /// - Parameter declared: The type that the envelope declares. It decides the version of SAML where
  ///   the token is encrypted.
  func token(in element: Element, declared: TokenFormat?) throws(TokenError) -> AnyToken {
    if element.isNamed(WSSName.binarySecurityToken) {
      return try BinarySecurityToken.read(element, limits)
    }
    if element.isNamed(XEName.encryptedData) {
      return .saml(
        try SAMLToken(encryptedData: element, version: declared == .saml20 ? .v2 : .v1))
    }
    guard SAMLToken.isAssertion(element) else {
      throw TokenError(
        .unexpectedElement, node: element.path, expected: "Assertion or BinarySecurityToken")
    }
    return .saml(try SAMLToken(element))
  }

  private func xml(_ octets: consuming [UInt8]) throws(TokenError) -> AnyToken {
    let document = try Document(parsing: consume octets, limits: limits)
    let envelope = try SOAPMessage(reading: document.root)
    let root = envelope?.content ?? document.root
    if let response = try WSTrustResponse(reading: root) {
      let token = try response.checked(
        token(in: response.token, declared: response.declaredFormat()))
      return token.noting(envelope?.warnings ?? [])
    }
    if pinned == .rstr {
      throw TokenError(
        .formatMismatch, node: root.path, expected: "a RequestSecurityTokenResponse",
        found: TokenError.excerpt(root.localName))
    }
    return AnyToken.saml(try SAMLToken(root)).noting(envelope?.warnings ?? [])
  }

  /// Decodes base64, and DEFLATE inside it when the decoded octets do not begin like XML.
  func unpacked(
    _ text: ArraySlice<UInt8>
  ) throws(TokenError) -> (octets: [UInt8], wasDeflated: Bool) {
    var octets: [UInt8] = []
    do throws(TokenError) {
      octets = try Base64.decode(text.span, whiteSpace: .skipped)
    } catch {
      // The alphabet of URLs has two other digits; text without these is malformed.
      guard text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
        throw error
      }
      // Some senders pad that alphabet too; padding has no content there.
      let digits = text.filter { !ASCII.isWhiteSpace($0) && $0 != ASCII.equals }
      octets = try Base64.decode(digits.span, .url)
    }
    if WireForm.recognise(octets.prefix(64)) == .xml { return (octets, false) }
    let inflated = try Inflate.inflate(octets, limit: limits.inflatedBytes)
    guard WireForm.recognise(inflated.prefix(64)) == .xml else {
      throw TokenError(.unrecognizedInput, expected: "XML inside base64")
    }
    return (inflated, true)
  }

  private func checked(_ token: consuming AnyToken) throws(TokenError) -> AnyToken {
    try check(token.format)
    return token
  }

  /// Throws unless tokens of the format are accepted.
  private func check(_ format: TokenFormat) throws(TokenError) {
    guard let pinned, pinned != .rstr, pinned.rawValue != format.name else { return }
    throw TokenError(.formatMismatch, expected: pinned.rawValue, found: format.name)
  }
}
