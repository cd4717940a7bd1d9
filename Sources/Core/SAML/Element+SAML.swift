import TokenBasics
import XMLSecurity
import XMLTree

extension Element {
  /// An `xs:dateTime` attribute, white space collapsed.
  ///
  /// - Throws: `time.malformed`.
  func instant(_ name: ExpandedName) throws(TokenError) -> Instant? {
    guard let range = collapsedAttributeRange(name) else { return nil }
    do {
      return try withBytes(range) { text throws(TokenError) in try Instant(dateTime: text) }
    } catch {
      throw error.located(at: "\(path)/@\(name)")
    }
  }

  /// An `xs:dateTime` attribute that must be there.
  ///
  /// - Throws: `time.malformed`, `xml.missing-attribute`.
  func requiredInstant(_ name: ExpandedName) throws(TokenError) -> Instant {
    guard let instant = try instant(name) else {
      throw TokenError(.missingAttribute, node: path, expected: "@\(name)")
    }
    return instant
  }
}

/// The one name of XML Signature that SAML's own schema mentions.
enum SignatureName {
  static let signature = DSName.signature

  /// Where the schema of a response or an assertion has its signature.
  static func place(in element: Element) -> SignaturePlace {
    if element.isNamed(SAML1Name.assertion) { return .last }
    return element.isNamed(SAML1Name.response) ? .first : .behind(SAML2Name.issuer)
  }

  /// Takes the signature that may be the next child, wherever the schema has it.
  ///
  /// - Parameter isTaken: Whether it was there before; an element has one.
  /// - Throws: `signature.repeated`.
  static func take(
    _ children: inout ChildReader, unless isTaken: inout Bool
  ) throws(TokenError) {
    while let found = children.take(signature) {
      guard !isTaken else { throw TokenError(.signatureRepeated, node: found.path) }
      isTaken = true
    }
  }
}
