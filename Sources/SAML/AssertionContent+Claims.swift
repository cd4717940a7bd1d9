import Claims
import TokenErrors
import XMLTree

extension AssertionContent {
  /// The place of a text of `element`. What was decrypted stands in another document.
  mutating func place(_ element: Element, _ range: Range<Int>) -> ClaimText {
    element.document.isSame(as: node.document)
      ? ClaimText(range) : claims.add(element.document.text[range])
  }

  /// The place of an attribute's value, if there is one.
  mutating func text(_ element: Element, _ name: ExpandedName) -> ClaimText? {
    guard let range = element.attributeRange(name) else { return nil }
    return place(element, range)
  }

  /// The place of the text that `element` holds.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func text(of element: Element) throws(TokenError) -> ClaimText {
    guard let range = try element.textRange() else { return claims.add(try element.textBytes()) }
    return place(element, range)
  }

  /// The issuer's name, where it is asked for the first time added to the texts.
  @inline(__always)
  mutating func issuerText() -> ClaimText {
    if let knownIssuer { return knownIssuer }
    let text = claims.add(issuer)
    knownIssuer = text
    return text
  }

  /// Adds a claim of a type of ours.
  mutating func addClaim(_ type: ClaimText, _ value: ClaimText) {
    claims.append(claims.number(of: type).number, value, issuer: issuerText())
  }

  /// Adds the claim that the subject's name becomes.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func addClaim(_ name: NameIdentifier) throws(TokenError) {
    let first = claims.propertyCount
    if name.node.attributeCount > 0 {
      addProperty(ClaimTable.format, name.node, AttributeName.format)
      addProperty(ClaimTable.nameQualifier, name.node, AttributeName.nameQualifier)
      if name.hasProviderParts {
        addProperty(ClaimTable.spNameQualifier, name.node, AttributeName.spNameQualifier)
        addProperty(ClaimTable.spProvidedID, name.node, AttributeName.spProvidedID)
      }
    }
    claims.append(
      claims.number(of: ClaimTable.nameIdentifier).number, try text(of: name.node),
      issuer: issuerText(), properties: first..<claims.propertyCount)
  }

  /// Adds the property that an attribute becomes, if there is one.
  private mutating func addProperty(
    _ property: ClaimText, _ element: Element, _ attribute: ExpandedName
  ) {
    if let value = text(element, attribute) { claims.addProperty(property, value) }
  }
}
