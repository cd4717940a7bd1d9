public import Claims
package import SecurityKeys
public import TokenBasics
package import XMLSecurity
import XMLTree

extension SAMLToken {
  /// Verifies the signatures first; then reads everything else from what they cover.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    let keys = context.trust.privateKeys
    // Without a key there is nothing to make an exception for.
    let exceptions = keys.isEmpty ? [] : context.exceptions
    let limits = context.limits
    var decryption = Decryption(
      Decryptor(keys: keys, exceptions: exceptions, limits: limits), limits)
    let signed: Signed
    if let assertion {
      context.pass(.structure, node: assertion.path)
      signed = try verifySignatures(assertion, &context)
    } else {
      signed = try verifyEncrypted(&decryption, &context)
    }
    decryption.coverage = signed.namespaces
    let content: AssertionContent
    do {
      content = try read(signed.assertion, &decryption)
    } catch {
      throw context.failing(.structure, error)
    }
    context.warn(warnings + content.warnings)
    let checks = SAMLChecks(self, content, signed, context)
    checks.run(&context)
    context.refuseKeyBinding()
    return VerifiedContent(
      facts: checks.finish(), signedBy: Signer(signed.match), by: signed.entry)
  }

  /// What the signatures prove.
  struct Signed {
    /// The view of the assertion that was digested.
    let assertion: Element
    /// The signature that covers the assertion.
    let match: KeyRing.Match
    /// The message as its own signature covers it, if it has one.
    let message: SignedElement?
    /// What the signatures cover of the namespaces inside the assertion.
    let namespaces: NamespaceCoverage
    /// The entry of the trust for the assertion's issuer.
    let entry: TrustedIssuer
  }

  /// The signatures that were found, from the elements that they should cover.
  private struct SignatureElements {
    var message: Element?
    var assertion: Element?
  }

  /// Every signature on the response and on the assertion must hold; at least one must be there. When
  /// the assertion has one, it is read as that one covers it.
  private func verifySignatures(
    _ assertion: Element, _ context: inout VerificationContext
  ) throws(TokenError) -> Signed {
    let issuer = try context.require(.issuer) { _ throws(TokenError) in
      try namedIssuer(of: assertion)
    }
    let message = response?.element
    let signatures = try context.require(.signature) {
      (_: inout VerificationContext) throws(TokenError) -> SignatureElements in
      try signatureElements(assertion, message)
    }
    let entry = try context.entry(forIssuer: issuer, format, node: assertion.path)
    let ring = entry.ring
    var outer: SignedElement?
    if let message, let signature = signatures.message {
      let name = response?.issuer ?? issuer
      let keys =
        name == issuer
        ? ring : try context.entry(forIssuer: name, format, node: message.path).ring
      outer = try verify(message, signature, keys, &context)
    }
    if let signature = signatures.assertion {
      let inner = try verify(assertion, signature, ring, &context)
      var namespaces = NamespaceCoverage.digest(inner.namespaces)
      if let outer { namespaces = .either(namespaces, .digest(outer.namespaces)) }
      return Signed(
        assertion: inner.element, match: inner.match, message: outer, namespaces: namespaces,
        entry: entry)
    }
    guard let outer else { throw TokenError(.signatureMissing, node: assertion.path) }
    // The same child, seen from the view that was digested.
    let child = try outer.element.children().first { $0.isSameNode(as: assertion) }
    guard let child else { throw TokenError(.unsignedContent, node: assertion.path) }
    return Signed(
      assertion: child, match: outer.match, message: outer, namespaces: .digest(outer.namespaces),
      entry: entry)
  }

  private func signatureElements(
    _ assertion: Element, _ message: Element?
  ) throws(TokenError) -> SignatureElements {
    var outer: Element?
    if let message { outer = try SignedElement.signature(of: message) }
    let inner = try SignedElement.signature(of: assertion)
    guard outer != nil || inner != nil else {
      if let stray = document.root.descendants(named: SignatureName.signature).first {
        throw TokenError(
          .signatureMisplaced, node: stray.path, expected: "a child of \(assertion.path)")
      }
      throw TokenError(.signatureMissing, node: assertion.path)
    }
    return SignatureElements(message: outer, assertion: inner)
  }

  func verify(
    _ element: Element, _ signature: Element, _ keys: KeyRing, _ context: inout VerificationContext
  ) throws(TokenError) -> SignedElement {
    var scratch = Canonicalizer.scratch(for: element.document)
    let now = context.now
    let limits = context.limits
    do {
      try refuseAssertions(inside: signature)
      let signed = try SignedElement.verify(
        element, signature, id: try identifier(of: element),
        place: SignatureName.place(in: element),
        // What was decrypted is another document than the one that was signed.
        wholeDocument: element.document.isSame(as: document) ? .elementAlone : .refused,
        keys: keys, at: now, limits: limits, scratch: &scratch)
      context.pass(signature: signed.match, node: signature.path)
      context.pass(.digest, node: signature.path)
      return signed
    } catch {
      throw context.failing(error.code == .digestMismatch ? .digest : .signature, error)
    }
  }

  /// The content of a Signature is outside of what it covers, KeyInfo included, which allows any element. No
  /// issuer puts an assertion there.
  private func refuseAssertions(inside signature: Element) throws(TokenError) {
    guard let stray = signature.firstDescendant(named: Self.assertionNames) else { return }
    throw TokenError(
      .signatureStructure, node: stray.path, expected: "no assertion inside a signature")
  }

  /// The issuer that the assertion names, in UTF-8, which only chooses the keys to try.
  func namedIssuer(of assertion: Element) throws(TokenError) -> ArraySlice<UInt8> {
    guard version == .v2 else { return assertion.attributeBytes(AttributeName.issuer) ?? [] }
    var children = try ChildReader(assertion)
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    guard let first = children.next, first.isNamed(SAML2Name.issuer) else {
      throw TokenError(.issuerMissing, node: assertion.path, expected: "Issuer")
    }
    try SAML2AssertionReader.checkIssuer(first)
    return try first.textBytes()
  }

  /// Why a digest of this token does not fit: that of the response first, as it is verified.
  package var digestDiagnosis: DigestDiagnosis? {
    for element in [response?.element, assertion].compactMap({ $0 }) {
      guard let signature = try? SignedElement.signature(of: element),
        let diagnosis = DigestDiagnosis(element, signature, limits: Limits())
      else { continue }
      return diagnosis
    }
    return nil
  }

  /// What, if it had not happened to SignedInfo, would make the signature at `node` fit one of `keys`.
  package func signatureSuspects(
    _ keys: [TrustedKey], at now: Instant, node: String?
  ) -> [String] {
    [response?.element, assertion].compactMap { $0 }.flatMap { element -> [String] in
      guard let signature = try? SignedElement.signature(of: element),
        node == nil || signature.path == node,
        let parsed = try? Signature(reading: signature, allowsObjects: false, limits: Limits())
      else { return [] }
      return parsed.suspects(KeyRing(keys), at: now)
    }
  }

  /// The algorithms of the signatures that are there.
  package var signatureAlgorithms: [(SignatureAlgorithm, [DigestAlgorithm])] {
    [response?.element, assertion].compactMap { $0 }.compactMap { element in
      guard let signature = try? SignedElement.signature(of: element),
        let parsed = try? Signature(reading: signature, allowsObjects: false, limits: Limits())
      else { return nil }
      return (parsed.algorithm, parsed.references.map(\.digestAlgorithm))
    }
  }

  /// The octets that the signature over what is read covers, as they are digested; nil when there is
  /// no such signature.
  package var digestedOctets: [UInt8]? {
    for element in [assertion, response?.element].compactMap({ $0 }) {
      guard let signature = try? SignedElement.signature(of: element),
        let parsed = try? Signature(reading: signature, allowsObjects: false, limits: Limits()),
        let method = try? parsed.references.first?.canonicalization().method
      else { continue }
      return Canonicalizer.octets(element.omitting(signature).subtree, method)
    }
    return nil
  }
}

/// The certificates that a token shows, by the fingerprints of their keys. They prove nothing, since
/// any sender can show any certificate; a person compares them with those that are configured.
extension SAMLToken {
  /// Those beside the signatures.
  package var shownBySigners: [String] {
    [response?.element, assertion].compactMap { $0 }.flatMap { element -> [String] in
      guard let signature = try? SignedElement.signature(of: element) else { return [] }
      return Self.fingerprints(in: signature)
    }
  }

  /// Those to whose keys it is encrypted.
  package var shownRecipients: [String] { encrypted.map(Self.fingerprints) ?? [] }

  private static func fingerprints(in element: Element) -> [String] {
    element.descendants(named: DSName.x509Certificate).prefix(4).compactMap { shown in
      guard let der = try? Base64.decode(shown.plainTextBytes(), whiteSpace: .skipped),
        let certificate = try? Certificate(der: der)
      else { return nil }
      return VerificationKey.certificate(certificate).fingerprint
    }
  }
}
