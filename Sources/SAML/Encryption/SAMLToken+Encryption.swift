import Claims
import SecurityKeys
import TokenErrors
import XMLSecurity
import XMLTree

extension SAMLToken {
  /// The assertion inside what is encrypted, and the signature that covers it.
  ///
  /// The signature of the message comes first, where it has one, and everything that the message shows
  /// openly is judged before a private key is used. Without that signature a stranger may be asking:
  /// then whatever depends on the plaintext looks like any other failure to decrypt, and with a cipher
  /// that notices no changes this includes the signature inside (Jager and Somorovsky 2011).
  func verifyEncrypted(
    _ decryption: inout Decryption, _ context: inout VerificationContext
  ) throws(TokenError) -> Signed {
    guard let encrypted else { throw TokenError(.noAssertion) }
    guard decryption.hasKeys else {
      let error = TokenError(.noDecryptionKey, node: encrypted.path)
      context.fail(.decryption, error)
      throw error
    }
    let outer = try verifyMessage(&context)
    let holder = try covered(encrypted, by: outer)
    try checkBeforeDecrypting(&context)
    let limits = context.limits
    let data = try context.require(.structure) { _ throws(TokenError) in
      try Decryption.data(of: holder, limits)
    }
    context.pass(.structure, node: data.element.path)
    let plaintext = try context.require(.decryption) { _ throws(TokenError) in
      try decryption.plaintext(of: data)
    }
    let isStranger = outer == nil
    let assertion = try context.require(.decryption) { _ throws(TokenError) in
      do throws(TokenError) {
        return try decryption.element(in: plaintext, insideOf: holder, named: assertionName)
      } catch {
        throw isStranger ? Decryptor.failure(data) : error
      }
    }
    // What was checked on the way to a failure would tell as much as its code.
    var trial = context
    trial.pass(.decryption, node: data.element.path, found: plaintext.cipher.name)
    do {
      let signed = try verifyDecrypted(assertion, outer, plaintext, &trial)
      context = trial
      context.warn(plaintext.warnings)
      return signed
    } catch {
      guard isStranger, !plaintext.cipher.isAuthenticated else {
        context = trial
        throw error
      }
      let failure = Decryptor.failure(data)
      context.fail(.decryption, failure)
      throw failure
    }
  }

  /// The signature of the response around the encrypted assertion, if it has one.
  private func verifyMessage(
    _ context: inout VerificationContext
  ) throws(TokenError) -> SignedElement? {
    guard let response else { return nil }
    let found = try context.require(.signature) { _ throws(TokenError) in
      try SignedElement.signature(of: response.element)
    }
    guard let signature = found else { return nil }
    // SAML Profiles 4.1.4.2: a response that is signed names its issuer.
    let ring = try context.keys(
      forIssuer: response.issuer ?? [], format, node: response.element.path)
    return try verify(response.element, signature, ring, &context)
  }

  /// The same element, seen from the view that was digested.
  private func covered(
    _ encrypted: Element, by outer: SignedElement?
  ) throws(TokenError) -> Element {
    guard let outer else { return encrypted }
    guard let child = try outer.element.children().first(where: { $0.isSameNode(as: encrypted) })
    else { throw TokenError(.unsignedContent, node: encrypted.path) }
    return child
  }

  /// Status, destination and request can refuse without a private key. They are noted again with the
  /// other checks.
  private func checkBeforeDecrypting(_ context: inout VerificationContext) throws(TokenError) {
    guard let response else { return }
    var early = context
    checkStatus(&early)
    SAMLChecks.checkDelivery(response, &early)
    guard let failure = early.firstFailure else { return }
    context = early
    throw failure
  }

  /// The signature of the decrypted assertion; where it has none, that of the message around it, which
  /// covers the ciphertext.
  private func verifyDecrypted(
    _ assertion: Element, _ outer: SignedElement?, _ plaintext: Decryptor.Plaintext,
    _ context: inout VerificationContext
  ) throws(TokenError) -> Signed {
    let issuer = try context.require(.issuer) { _ throws(TokenError) in
      try namedIssuer(of: assertion)
    }
    let signature = try context.require(.signature) {
      (_: inout VerificationContext) throws(TokenError) -> Element? in
      let found = try SignedElement.signature(of: assertion)
      guard found != nil || outer != nil else {
        let stray = assertion.descendants(named: SignatureName.signature).first
        throw TokenError(
          stray == nil ? .signatureMissing : .signatureMisplaced,
          node: (stray ?? assertion).path)
      }
      return found
    }
    let ring = try context.keys(forIssuer: issuer, format, node: assertion.path)
    // Only now is it known for whom something old would have to be allowed.
    for exception in plaintext.exceptions
    where !ring.keys.contains(where: { $0.exceptions.contains(exception) }) {
      let error = TokenError(.legacyAlgorithm, node: encrypted?.path, found: exception.name)
      context.fail(.decryption, error)
      throw error
    }
    if let signature {
      let inner = try verify(assertion, signature, ring, &context)
      return Signed(assertion: inner.element, match: inner.match)
    }
    guard let outer else { throw TokenError(.signatureMissing, node: assertion.path) }
    return Signed(assertion: assertion, match: outer.match)
  }
}
