import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// Every XML Signature of a document, outside any federation format.
package enum DocumentSignatures {
  /// A valid signature.
  package struct Verified: Sendable {
    package let signature: Signature
    package let match: KeyRing.Match
    /// Whether one of its references is to the document or its document element.
    package let coversDocument: Bool
  }

  /// Verifies all signatures; each reference must resolve within this document.
  ///
  /// - Throws: `signature.missing` when there is none; otherwise the first failure.
  package static func verify(
    _ document: Document, identifiers: IdentifierIndex, keys: KeyRing, at now: Instant,
    limits: Limits
  ) throws(TokenError) -> [Verified] {
    let elements = document.root.descendants(named: DSName.signature)
    guard !elements.isEmpty else { throw TokenError(.signatureMissing, node: document.root.path) }
    guard elements.count <= limits.references else {
      throw TokenError(
        .tooManyReferences, node: document.root.path, expected: "at most \(limits.references)",
        found: "\(elements.count) signatures")
    }
    var scratch = OctetWriter()
    var verified: [Verified] = []
    for element in elements {
      let signature = try Signature(reading: element, allowsObjects: true, limits: limits)
      // References are checked before any key is used.
      var targets: [(Reference, Subtree, CanonicalizationMethod)] = []
      for reference in signature.references {
        let target = try subtree(of: reference, element, document, identifiers)
        targets.append((reference, target.subtree, target.method))
      }
      let match = try signature.match(keys, at: now, &scratch)
      for (reference, subtree, method) in targets {
        try reference.check(subtree, method, &scratch)
      }
      verified.append(
        Verified(
          signature: signature, match: match,
          coversDocument: targets.contains { $0.1.isWholeDocument }))
    }
    return verified
  }

  /// XML Signature 1.1, 4.4.3.3: `""` is the document, `#id` an element, both without comments.
  private static func subtree(
    of reference: Reference, _ signature: Element, _ document: Document,
    _ identifiers: IdentifierIndex
  ) throws(TokenError) -> (subtree: Subtree, method: CanonicalizationMethod) {
    let (method, isEnveloped) = try reference.canonicalization()
    guard let uri = reference.uri else {
      throw TokenError(
        .referenceURI, node: reference.node.path, expected: "a URI", found: "no URI")
    }
    if uri.isEmpty {
      return (isEnveloped ? document.subtree(omitting: signature) : document.subtree, method)
    }
    guard uri.utf8.first == UInt8(ascii: "#") else {
      throw TokenError(
        .externalReference, node: reference.node.path, found: TokenError.excerpt(uri))
    }
    guard let target = identifiers.element(uri.utf8.dropFirst(), in: document) else {
      throw TokenError(
        .referenceUnresolved, node: reference.node.path, found: TokenError.excerpt(uri))
    }
    return (isEnveloped ? target.omitting(signature).subtree : target.subtree, method)
  }
}
