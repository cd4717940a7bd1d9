import Claims
import Octets
import TokenBasics
import XMLSecurity
import XMLTree

/// Reads the values of one attribute, one after the other.
struct AttributeValueReader {
  private let type: UInt32
  private let originalName: ClaimText
  private let originalIssuer: ClaimText?
  private let properties: Range<Int>

  /// - Parameters:
  ///   - type: The number of the claim type.
  ///   - hasOthers: Whether the attribute may name the original issuer.
  init(
    _ attribute: Element, type: UInt32, originalName: ClaimText, properties: Range<Int>,
    hasOthers: Bool = true, _ names: AttributeElementNames, _ content: inout AssertionContent
  ) {
    self.type = type
    self.originalName = originalName
    self.properties = properties
    originalIssuer =
      hasOthers
      ? content.text(attribute, names.originalIssuer)
        ?? content.text(attribute, names.originalIssuer2008) : nil
  }

  /// Appends the claim of a value: text as it is, `xsi:nil` none, and an element as its XML.
  ///
  /// - Throws: `xml.mixed-content`.
  func read(
    _ value: Element, _ names: AttributeElementNames, into content: inout AssertionContent
  ) throws(TokenError) {
    let hasAttributes = value.attributeCount > 0
    if hasAttributes, let isNil = value.attributeBytes(names.xsiNil),
      isNil.hasBytes(of: "true") || isNil.hasBytes(of: "1")
    {
      return
    }
    if !hasAttributes, let range = value.plainTextRange {
      return content.claims.append(
        type, content.place(value, range), valueType: names.stringType,
        issuer: content.issuer,
        originalIssuer: originalIssuer, originalName: originalName, properties: properties)
    }
    let isStructured = value.hasChildElements
    if isStructured, value.descendants(where: { $0.isNamed(XEName.encryptedData) }).first != nil {
      content.warnings.append(
        "encryption: \(TokenError.excerpt(content.claims.string(originalName), length: 80)) has an encrypted "
          + "identifier, which is not decrypted: its value is what it travels as")
    }
    let issuer = content.issuer
    content.claims.append(
      type, isStructured ? content.claims.add(Self.xml(value)) : try content.text(of: value),
      valueType: isStructured
        ? content.claims.add(Claim.xmlType) : type(of: value, names, &content.claims),
      issuer: issuer, originalIssuer: originalIssuer, originalName: originalName,
      properties: properties)
  }

  /// The value type by the local part of `xsi:type`. Its prefix is not resolved: under exclusive
  /// canonicalization what it is bound to need not be signed.
  private func type(
    of value: Element, _ names: AttributeElementNames, _ claims: inout ClaimTableBuilder
  ) -> ClaimText {
    guard value.attributeCount > 0, let name = value.collapsedAttributeRange(names.xsiType) else {
      return names.stringType
    }
    let local = Self.localPart(value.bytes(name))
    // Mostly it is what claims have anyhow.
    guard !local.hasBytes(of: "string"),
      let type = Self.known.first(where: { local.hasBytes(of: $0) })
    else { return names.stringType }
    return claims.add("http://www.w3.org/2001/XMLSchema#" + type)
  }

  private static let known = ["boolean", "integer", "dateTime", "anyURI", "base64Binary"]

  /// The part after the last colon that is not at the end.
  private static func localPart(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let colon = UInt8(ascii: ":")
    var end = name.endIndex
    while end > name.startIndex, name[end - 1] == colon { end -= 1 }
    var start = end
    while start > name.startIndex, name[start - 1] != colon { start -= 1 }
    return name[start..<end]
  }

  /// The content of a structured value, each element in exclusive canonical form.
  private static func xml(_ value: Element) -> String {
    var output = OctetWriter(capacity: 256)
    for part in value.contents {
      Canonicalizer.write(part, CanonicalizationMethod(.exclusive), to: &output)
    }
    return String(decoding: output.bytes, as: UTF8.self)
  }
}
