package import SecurityKeys
package import TokenBasics
package import XMLTree

/// Makes the enveloped signatures of SAML (SAML Core 5.4): one reference to the element by its
/// identifier, `enveloped-signature`, and exclusive canonicalization of both what is signed and
/// SignedInfo.
///
/// Exclusive canonical form does not depend on an element's context, so a signed element may be
/// put into another one unchanged.
package struct SignatureWriter: Sendable {
  private let key: SigningKey

  package init(_ key: SigningKey) { self.key = key }

  /// `element`, which has no signature yet, with one where its writer left a place; `id` is its identifier.
  ///
  /// - Throws: `policy.mint-signature`, `policy.mint-character`, and `xml.*` for an element that this
  ///   library would not read back.
  package func signed(_ element: XMLFragment, id: String) throws(TokenError) -> XMLFragment {
    element.signed(with: try signature(over: element, id: id))
  }

  /// The `ds:Signature` over `element`.
  private func signature(
    over element: XMLFragment, id: String
  ) throws(TokenError) -> XMLFragment {
    // The octets come from the canonicalizer, not the writer, as they do in a verifier.
    let content = try Self.canonicalOctets(of: element)
    guard let digest = key.algorithm.digest.digest(of: content) else {
      throw TokenError(.mintSignature, found: key.algorithm.digest.name)
    }
    let value = try key.sign(Self.canonicalOctets(of: signedInfo(id: id, digest: digest)))
    return try XMLWriter.fragment(DSName.signature, prefixes: Self.prefixes) {
      writer throws(TokenError) in
      try writer.element(DSName.signedInfo) { writer throws(TokenError) in
        try writeSignedInfo(id: id, digest: digest, to: &writer)
      }
      try writer.element(DSName.signatureValue, text: Base64.encode(value))
      if let certificate = key.certificate { try Self.writeKeyInfo(certificate, to: &writer) }
    }
  }

  /// A `ds:KeyInfo` that contains a certificate (XML Signature 1.1, 4.5.4).
  package static func writeKeyInfo(
    _ certificate: Certificate, to writer: inout XMLWriter
  ) throws(TokenError) {
    try writer.element(DSName.keyInfo) { writer throws(TokenError) in
      try writeX509Data(certificate, to: &writer)
    }
  }

  /// A `ds:X509Data` that contains a certificate.
  static func writeX509Data(
    _ certificate: Certificate, to writer: inout XMLWriter
  ) throws(TokenError) {
    try writer.element(DSName.x509Data) { writer throws(TokenError) in
      try writer.element(DSName.x509Certificate, text: Base64.encode(certificate.der))
    }
  }

  /// The prefix that signatures are written with.
  package static let prefixes = [DSName.namespace: "ds"]

  /// SignedInfo on its own: in exclusive canonical form it is the same inside Signature.
  private func signedInfo(id: String, digest: [UInt8]) throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(DSName.signedInfo, prefixes: Self.prefixes) {
      writer throws(TokenError) in
      try writeSignedInfo(id: id, digest: digest, to: &writer)
    }
  }

  private func writeSignedInfo(
    id: String, digest: [UInt8], to writer: inout XMLWriter
  ) throws(TokenError) {
    let exclusive = CanonicalizationMethod(.exclusive).uri
    let digestURI = key.algorithm.digest.uri
    try writer.element(DSName.canonicalizationMethod, [(DSName.algorithm, exclusive)])
    try writer.element(DSName.signatureMethod, [(DSName.algorithm, key.algorithm.uri)])
    try writer.element(DSName.reference, [(DSName.uri, "#" + id)]) { writer throws(TokenError) in
      try writer.element(DSName.transforms) { writer throws(TokenError) in
        for uri in [DSName.envelopedSignature.description, exclusive] {
          try writer.element(DSName.transform, [(DSName.algorithm, uri)])
        }
      }
      try writer.element(DSName.digestMethod, [(DSName.algorithm, digestURI)])
      try writer.element(DSName.digestValue, text: Base64.encode(digest))
    }
  }

  private static func canonicalOctets(of fragment: XMLFragment) throws(TokenError) -> [UInt8] {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    let document = try Document(parsing: fragment.octets, limits: limits)
    return Canonicalizer.octets(document.root.subtree, CanonicalizationMethod(.exclusive))
  }
}
