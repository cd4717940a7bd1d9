import Claims
import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

extension SAMLToken {
  /// The assertion inside what is encrypted, and the signature that covers it.
  ///
  /// The signature of the message comes first, where it has one, and everything in cleartext is checked
  /// before a private key is used. What follows depends on the plaintext. With an unauthenticated cipher,
  /// every failure looks like any other failure to decrypt until the plaintext is authenticated, even under
  /// a valid outer signature: another trusted issuer may be probing the ciphertext (Jager and Somorovsky
  /// 2011).
  func verifyEncrypted(
    _ decryption: inout Decryption, _ context: inout VerificationContext
  ) throws(TokenError) -> Signed {
    guard let encrypted else { throw TokenError(.noAssertion) }
    guard decryption.hasKeys else {
      throw context.failing(.decryption, TokenError(.noDecryptionKey, node: encrypted.path))
    }
    let outer = try verifyMessage(&context)
    let holder = try covered(encrypted, by: outer)
    try checkBeforeDecrypting(outer, &context)
    let limits = context.limits
    let data = try context.require(.structure) { _ throws(TokenError) in
      try Decryption.data(of: holder, limits)
    }
    context.pass(.structure, node: data.element.path)
    var work = ConcealedWork(of: data)
    // The message names in cleartext whose keys would be tried.
    let decoys =
      data.cipher.isAuthenticated
      ? KeyRing([]) : context.decoyKeys(forIssuer: response?.issuer, format)
    let plaintext = try context.require(.decryption) { context throws(TokenError) in
      do throws(TokenError) {
        return try decryption.plaintext(of: data)
      } catch {
        if !data.cipher.isAuthenticated, error.code == .decryptionFailed {
          work.settle(decoys, at: context.now, limits)
        }
        throw error
      }
    }
    // Without an outer signature no code reveals that the plaintext is no assertion, whatever the cipher.
    var isConcealed = outer == nil || !plaintext.cipher.isAuthenticated
    // The checks before a failure would reveal as much as its code.
    var trial = context
    do throws(TokenError) {
      let assertion = try trial.require(.decryption) { _ throws(TokenError) in
        try decryption.element(
          in: plaintext, insideOf: holder, named: assertionName, parsedCount: &work.parsedCount)
      }
      isConcealed = !plaintext.cipher.isAuthenticated
      trial.pass(.decryption, node: data.element.path, found: plaintext.cipher.name)
      let around = outer.map { NamespaceCoverage.digest($0.namespaces) } ?? .nothing
      let signed = try verifyDecrypted(
        Decrypted(assertion: assertion, holder: holder, around: around, plaintext: plaintext),
        outer, &isConcealed, &trial)
      context = trial
      context.warn(plaintext.warnings)
      return signed
    } catch {
      guard isConcealed else {
        context = trial
        throw error
      }
      if !plaintext.cipher.isAuthenticated {
        work.note(error)
        work.settle(decoys, at: context.now, limits)
      }
      throw context.failing(.decryption, Decryptor.failure(data))
    }
  }

  /// An assertion that was encrypted.
  private struct Decrypted {
    let assertion: Element
    /// The element around the ciphertext.
    let holder: Element
    /// What is covered of the namespaces around it.
    let around: NamespaceCoverage
    let plaintext: Decryptor.Plaintext

    /// What is covered of the namespaces inside of it where its ciphertext is.
    var namespaces: NamespaceCoverage { .plaintext(root: assertion, holder: holder, around) }
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
    let entry = try context.entry(
      forIssuer: response.issuer ?? [], format, node: response.element.path)
    return try verify(response.element, signature, entry.ring, &context)
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

  /// Status, destination and request can refuse before a private key is used. They are recorded with the
  /// other checks later.
  private func checkBeforeDecrypting(
    _ outer: SignedElement?, _ context: inout VerificationContext
  ) throws(TokenError) {
    var early = context
    if let response { ResponseChecks(response: response).checkStatus(&early) }
    Delivery(token: self, signedMessage: outer).check(&early)
    guard let failure = early.journal.firstFailure else { return }
    context = early
    throw failure
  }

  /// The signature of the decrypted assertion; where it has none, that of the message around it, which
  /// covers the ciphertext.
  ///
  /// - Parameter isConcealed: Whether errors must not reveal anything of the plaintext; false once its own
  ///   issuer has signed it or the ciphertext.
  private func verifyDecrypted(
    _ decrypted: Decrypted, _ outer: SignedElement?,
    _ isConcealed: inout Bool, _ context: inout VerificationContext
  ) throws(TokenError) -> Signed {
    let assertion = decrypted.assertion
    let issuer = try context.require(.issuer) { _ throws(TokenError) in
      try namedIssuer(of: assertion)
    }
    let isByOneIssuer = outer != nil && response?.issuer == issuer
    if isByOneIssuer { isConcealed = false }
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
    let entry = try context.entry(forIssuer: issuer, format, node: assertion.path)
    let ring = entry.ring
    // The issuer that would need the exception is known only now.
    for exception in decrypted.plaintext.exceptions
    where !ring.keys.contains(where: { $0.exceptions.contains(exception) }) {
      throw context.failing(
        .decryption,
        TokenError(.legacyAlgorithm, node: encrypted?.path, found: exception.name))
    }
    if let signature {
      let inner = try verify(assertion, signature, ring, &context)
      isConcealed = false
      try checkNamespaces(decrypted, inner, &context)
      var namespaces = NamespaceCoverage.digest(inner.namespaces)
      if outer != nil { namespaces = .either(namespaces, decrypted.namespaces) }
      return Signed(
        assertion: inner.element, match: inner.match, message: outer, namespaces: namespaces,
        entry: entry)
    }
    guard let outer, let response else {
      throw TokenError(.signatureMissing, node: assertion.path)
    }
    guard isByOneIssuer else {
      throw context.failing(
        .responseIssuer,
        ResponseChecks(response: response).mismatch(String(decoding: issuer, as: UTF8.self)))
    }
    try checkNamespaces(decrypted, nil, &context)
    return Signed(
      assertion: assertion, match: outer.match, message: outer, namespaces: decrypted.namespaces,
      entry: entry)
  }

  /// Refuses an assertion that takes namespaces from what no signature covers.
  ///
  /// - Parameter inner: The assertion as its own signature covers it, if it has one.
  private func checkNamespaces(
    _ decrypted: Decrypted, _ inner: SignedElement?, _ context: inout VerificationContext
  ) throws(TokenError) {
    let namespaces = PlaintextNamespaces(
      at: decrypted.holder, decrypted.around, qualifiedAttributes: [AttributeName.authorityKind])
    try context.require(.decryption) { _ throws(TokenError) in
      try namespaces.check(inner?.element ?? decrypted.assertion, inner?.namespaces)
    }
  }
}
