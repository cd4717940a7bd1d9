import XMLTree

/// The text of a SAML message with the positions of the elements that attacks change.
package struct MessageText: Sendable {
  package let text: XMLText
  /// The `Response` of SAML, if the assertion is in one.
  package let response: Int?
  package let assertion: Int
  package let responseSignature: Int?
  package let assertionSignature: Int?
  package let isVersion2: Bool

  package static let signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"
  static let assertionNamespace = "urn:oasis:names:tc:SAML:2.0:assertion"
  static let protocolNamespace = "urn:oasis:names:tc:SAML:2.0:protocol"
  static let version1Namespace = "urn:oasis:names:tc:SAML:1.0:assertion"

  /// Nil where there is no unencrypted assertion, or no signature over it.
  package init?(_ octets: [UInt8]) {
    let text = XMLText(octets)
    let assertion = text.elements.indices.first { index in
      guard text.elements[index].localName == "Assertion" else { return false }
      let namespace = text.namespace(of: index)
      return namespace == Self.assertionNamespace || namespace == Self.version1Namespace
    }
    guard let assertion else { return nil }
    let parent = text.elements[assertion].parent
    let response = parent.flatMap { text.elements[$0].localName == "Response" ? $0 : nil }
    let responseSignature = response.flatMap { Self.signature(of: $0, text) }
    let assertionSignature = Self.signature(of: assertion, text)
    guard responseSignature != nil || assertionSignature != nil else { return nil }
    self.text = text
    self.assertion = assertion
    self.response = response
    self.responseSignature = responseSignature
    self.assertionSignature = assertionSignature
    isVersion2 = text.namespace(of: assertion) == Self.assertionNamespace
  }

  /// A message whose assertion is encrypted: ``assertion`` is the element in its place, an
  /// `EncryptedAssertion` or a bare `EncryptedData`. Nil where there is neither.
  init?(encrypted octets: [UInt8]) {
    let text = XMLText(octets)
    let place = text.elements.indices.first {
      ["EncryptedAssertion", "EncryptedData"].contains(text.elements[$0].localName)
    }
    guard let place else { return nil }
    let parent = text.elements[place].parent
    let response = parent.flatMap { text.elements[$0].localName == "Response" ? $0 : nil }
    self.text = text
    self.assertion = place
    self.response = response
    self.responseSignature = response.flatMap { Self.signature(of: $0, text) }
    self.assertionSignature = nil
    // Version 1.1 has no Response around encrypted data.
    isVersion2 = text.elements[place].localName == "EncryptedAssertion"
  }

  private static func signature(of index: Int, _ text: XMLText) -> Int? {
    text.children(of: index).first {
      text.elements[$0].localName == "Signature" && text.namespace(of: $0) == signatureNamespace
    }
  }

  /// The signature that is verified first.
  var signature: Int { responseSignature ?? assertionSignature ?? assertion }

  /// What that signature covers.
  var signedElement: Int { responseSignature == nil ? assertion : response ?? assertion }

  /// The name of an element's identifier attribute.
  package func identifierName(of index: Int) -> String {
    guard !isVersion2 else { return "ID" }
    return index == assertion ? "AssertionID" : "ResponseID"
  }

  package func identifier(of index: Int) -> String {
    text.elements[index].attribute(identifierName(of: index)).map { text.text($0.value) } ?? ""
  }

  /// An element's text.
  package func whole(_ index: Int) -> String { text.text(text.elements[index].whole) }

  /// An element's text without the identifiers of XML Signature and XML Encryption, which would occur
  /// twice.
  func withoutIdentifiers(_ index: Int) -> String {
    let copy = XMLText(Array(whole(index).utf8))
    let edits = copy.elements.indices.compactMap { copy.removingAttribute("Id", of: $0) }
    return String(decoding: copy.applying(edits), as: UTF8.self)
  }

  /// An element's text without one of its descendants.
  package func whole(_ index: Int, without inner: Int?) -> String {
    guard let inner else { return whole(index) }
    let range = text.elements[index].whole
    let cut = text.elements[inner].whole
    return text.text(range.lowerBound..<cut.lowerBound)
      + text.text(cut.upperBound..<range.upperBound)
  }

  /// The first element with that local name inside the assertion.
  func inAssertion(_ localName: String) -> Int? { allInAssertion(localName).first }

  /// All elements with that local name inside the assertion, those of nested assertions left out.
  func allInAssertion(_ localName: String) -> [Int] {
    let advice = text.child("Advice", of: assertion).map { text.elements[$0].content } ?? 0..<0
    return text.descendants(of: assertion).filter {
      text.elements[$0].localName == localName
        && !advice.contains(text.elements[$0].whole.lowerBound)
    }
  }

  /// The first element with that local name inside the signature that is verified first.
  func inSignature(_ localName: String) -> Int? { text.descendant(localName, of: signature) }

  /// The element that names the subject.
  var nameIdentifier: Int? { inAssertion(isVersion2 ? "NameID" : "NameIdentifier") }
}
