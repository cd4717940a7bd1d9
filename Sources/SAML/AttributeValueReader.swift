import Claims
import Octets
import TokenErrors
import XMLTree

/// Reads the values of one attribute.
enum AttributeValueReader {
  /// Appends a claim for each value: text as it is, `xsi:nil` none, and an element as its XML.
  ///
  /// - Throws: `xml.missing-attribute` and the like for values that are not built as the schema says.
  static func read(
    _ attribute: Element, _ values: [Element], type: ClaimType, originalName: String,
    properties: [String: String], issuer: String, into claims: inout [Claim]
  ) throws(TokenError) {
    let original =
      attribute.attribute(AttributeName.originalIssuer)
      ?? attribute.attribute(AttributeName.originalIssuer2008)
    for value in values {
      if let isNil = value.attribute(AttributeName.xsiNil), isNil == "true" || isNil == "1" {
        continue
      }
      let isStructured = value.hasChildElements
      claims.append(
        Claim(
          type, isStructured ? xml(value) : try value.text(), issuer: issuer,
          valueType: isStructured ? Claim.xmlType : Self.type(of: value),
          originalIssuer: original, originalName: originalName, properties: properties))
    }
  }

  /// The value type by the local part of `xsi:type`. Its prefix is not resolved: under exclusive
  /// canonicalization what it is bound to need not be signed.
  private static func type(of value: Element) -> String {
    guard let name = value.collapsedAttribute(AttributeName.xsiType) else {
      return Claim.stringType
    }
    let local = name.split(separator: ":").last ?? ""
    let known = ["string", "boolean", "integer", "dateTime", "anyURI", "base64Binary", "anyType"]
    guard let type = known.first(where: { $0 == local }), type != "anyType" else {
      return Claim.stringType
    }
    return "http://www.w3.org/2001/XMLSchema#" + type
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
