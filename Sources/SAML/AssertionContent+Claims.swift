import Claims
import Instants
import TokenErrors
import XMLTree

extension AssertionContent {
  /// The place of a text of `element`. Decrypted text is in another document.
  mutating func place(_ element: Element, _ range: Range<Int>) -> ClaimText {
    element.document.isSame(as: node.document)
      ? ClaimText(range) : claims.add(element.document.octets[range])
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

  /// The place of the text that `element` holds, of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func collapsedText(of element: Element) throws(TokenError) -> ClaimText {
    guard let range = try element.collapsedTextRange() else {
      return claims.add(try element.textBytes().trimmingWhiteSpace)
    }
    return place(element, range)
  }

  /// Adds a claim of a type of ours.
  mutating func addClaim(_ type: ClaimText, _ value: ClaimText) {
    claims.append(claims.number(of: type).number, value, issuer: issuer)
  }

  /// Adds the claim that a moment becomes, as .NET writes it.
  mutating func addClaim(_ type: ClaimText, _ value: Instant) {
    addClaim(
      type, claims.add(upTo: Instant.textLength) { value.writeWithMilliseconds(to: &$0) })
  }

  /// Adds the claim that the subject's name becomes.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func addClaim(_ name: NameIdentifier) throws(TokenError) {
    let first = claims.propertyCount
    if name.node.attributeCount > 0 {
      addProperty(ClaimTable.constants.format, name.node, AttributeName.format)
      addProperty(ClaimTable.constants.nameQualifier, name.node, AttributeName.nameQualifier)
      if name.hasProviderParts {
        addProperty(ClaimTable.constants.spNameQualifier, name.node, AttributeName.spNameQualifier)
        addProperty(ClaimTable.constants.spProvidedID, name.node, AttributeName.spProvidedID)
      }
    }
    let value = try text(of: name.node)
    subjectName = value
    claims.append(
      claims.number(of: ClaimTable.constants.nameIdentifier).number, value, issuer: issuer,
      properties: first..<claims.propertyCount)
  }

  /// Adds the property that an attribute becomes, if there is one.
  private mutating func addProperty(
    _ property: ClaimText, _ element: Element, _ attribute: ExpandedName
  ) {
    if let value = text(element, attribute) { claims.addProperty(property, value) }
  }
}
