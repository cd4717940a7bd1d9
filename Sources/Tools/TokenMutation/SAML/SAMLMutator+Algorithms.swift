import SecurityKeys
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// The family of the algorithm that the genuine signature names.
  var family: SignatureAlgorithm.Family? {
    value("Algorithm", of: message.inSignature("SignatureMethod"))
      .flatMap { SignatureAlgorithm.named(uri: $0.utf8.span) }?.family
  }

  /// Algorithms that are unknown, too old, or of another kind of key.
  func addAlgorithms() {
    guard let method = message.inSignature("SignatureMethod"), let family else { return }
    let genuine = value("Algorithm", of: method) ?? ""
    for (label, attacks, uri) in [
      ("none", ["DSIG-10"], "none"), ("empty", ["DSIG-9"], ""),
      ("trailing-space", ["DSIG-9"], genuine + " "), ("trailing-slash", ["DSIG-9"], genuine + "/"),
      ("foreign-host", ["DSIG-9"], "http://evil.example/#rsa-sha256"),
      ("xmldsig-rsa-sha256", ["DSIG-9"], "http://www.w3.org/2000/09/xmldsig#rsa-sha256"),
      ("dsa-sha1", ["DSIG-8"], "http://www.w3.org/2000/09/xmldsig#dsa-sha1"),
      ("rsa-md5", ["DSIG-8"], "http://www.w3.org/2001/04/xmldsig-more#rsa-md5"),
      ("rsa-ripemd160", ["DSIG-8"], "http://www.w3.org/2001/04/xmldsig-more#rsa-ripemd160"),
      ("canonicalization", ["DSIG-10"], Self.exclusive),
    ] {
      list.add(
        "algorithm/signature-\(label)", "the signature algorithm is none", attacks,
        .unknownSignatureAlgorithm, edited(setting("Algorithm", uri, of: method)))
    }
    for other in SignatureAlgorithm.all where other.family != family {
      // An RSA key fits both RSA families; for any other family the key type is wrong.
      guard other.family != .rsaPSS || family != .rsaPKCS1,
        other.family != .rsaPKCS1 || family != .rsaPSS
      else { continue }
      list.add(
        "algorithm/\(other.name)", "the signature algorithm is of another kind of key",
        ["DSIG-10"], .algorithmKeyMismatch, edited(setting("Algorithm", other.uri, of: method)))
    }
    for legacy in SignatureAlgorithm.all where legacy.family == family && legacy.isLegacy {
      list.add(
        "algorithm/\(legacy.name)", "the signature algorithm is too old", ["DSIG-8"],
        .legacyAlgorithm, edited(setting("Algorithm", legacy.uri, of: method)))
    }
    list.add(
      "algorithm/output-length", "the signature asks for a shorter MAC", ["DSIG-12"],
      .hmacOutputLength,
      edited(filling(method, "<\(ds)HMACOutputLength>8</\(ds)HMACOutputLength>")))
    addDigestAlgorithms()
    addCanonicalizationMethods()
    addKeyConfusion(method)
  }

  private func addDigestAlgorithms() {
    let method = message.inSignature("DigestMethod")
    for (label, uri) in [
      ("md5", "http://www.w3.org/2001/04/xmldsig-more#md5"),
      ("xmldsig-sha256", "http://www.w3.org/2000/09/xmldsig#sha256"),
      ("more-sha256", "http://www.w3.org/2001/04/xmldsig-more#sha256"), ("none", ""),
    ] {
      list.add(
        "algorithm/digest-\(label)", "the digest algorithm is none", ["DSIG-8", "DSIG-9"],
        .unknownDigestAlgorithm, edited(setting("Algorithm", uri, of: method)))
    }
    let sha1 = DigestAlgorithm.sha1
    list.add(
      "algorithm/digest-sha1", "the digest algorithm is too old", ["DSIG-8"], .legacyAlgorithm,
      edited(
        setting("Algorithm", sha1.uri, of: method),
        filling(
          message.inSignature("DigestValue"),
          Base64.encode([UInt8](repeating: 1, count: sha1.length)))))
  }

  private func addCanonicalizationMethods() {
    let method = message.inSignature("CanonicalizationMethod")
    for (label, uri) in [
      ("unknown", "urn:unknown"), ("xslt", "http://www.w3.org/TR/1999/REC-xslt-19991116"),
      ("base64", "http://www.w3.org/2000/09/xmldsig#base64"), ("empty", ""),
    ] {
      list.add(
        "algorithm/canonicalization-\(label)", "the canonicalization method is none",
        ["DSIG-23"], .unknownCanonicalization, edited(setting("Algorithm", uri, of: method)))
    }
    list.add(
      "algorithm/canonicalization-comments",
      "the canonicalization keeps comments since the signing",
      ["DSIG-24"], .signatureInvalid,
      edited(setting("Algorithm", Self.exclusive + "WithComments", of: method)))
    let current = value("Algorithm", of: method)
    let other = current == Self.inclusive ? Self.exclusive : Self.inclusive
    list.add(
      "algorithm/canonicalization-other", "the canonicalization method is changed after signing",
      ["DSIG-23"], .signatureInvalid,
      edited(setting("Algorithm", other, of: method), filling(method, "")))
  }

  /// A MAC whose secret is the published certificate (CVE-2018-7644).
  private func addKeyConfusion(_ method: Int) {
    guard family != .hmac, let shown = message.inSignature("X509Certificate"),
      let der = try? Base64.decode(Array(content(shown).utf8).span, whiteSpace: .skipped)
    else { return }
    for (label, secret) in [
      ("der", der), ("base64", Array(content(shown).utf8)),
      ("pem", PublicKeyText.pem(der, "CERTIFICATE")),
    ] {
      for algorithm in [SignatureAlgorithm.hmacSHA256, .hmacSHA1] {
        guard let key = try? SymmetricKey(bytes: secret),
          let forged = forgedContent(method, algorithm.uri)
        else { continue }
        let sealer = Sealer(mac: key, algorithm.digest)
        list.add(
          "confusion/\(algorithm.name)-\(label)",
          "the claims are forged under a MAC whose secret is the issuer's certificate",
          ["DSIG-11"], .algorithmKeyMismatch, sealer.seal(forged))
      }
    }
  }

  /// The message with forged claims under that signature algorithm, not yet signed.
  func forgedContent(_ method: Int, _ uri: String) -> [UInt8]? {
    var edits = [setting("Algorithm", uri, of: method)]
    edits += forgedClaims.map { $0 }
    return edited(edits)
  }

  /// Edits that change the claims.
  var forgedClaims: [XMLText.Edit] {
    ([message.nameIdentifier] + [message.inAssertion("AttributeValue")]).compactMap { $0 }.map {
      text.replacingContent(of: $0, with: forgedSubject)
    }
  }
}

extension SAMLMutator {
  /// Signatures by an untrusted key, which the message contains.
  func addForeignKeys() {
    guard let attacker = AttackerKey.key, let method = message.inSignature("SignatureMethod"),
      let family
    else { return }
    let isRSA = family == .rsaPKCS1 || family == .rsaPSS
    let expected: TokenError.Code = isRSA ? .signatureInvalid : .algorithmKeyMismatch
    let sealer = Sealer(attacker)
    let x509 =
      "<\(ds)KeyInfo><\(ds)X509Data><\(ds)X509Certificate>\(AttackerKey.certificate)"
      + "</\(ds)X509Certificate></\(ds)X509Data></\(ds)KeyInfo>"
    let fetched =
      "<\(ds)KeyInfo><\(ds)RetrievalMethod URI=\"http://127.0.0.1:9/key\"/></\(ds)KeyInfo>"
    for (label, summary, keyInfo) in [
      ("certificate", "its certificate is shown", x509 as String?),
      ("no-key-info", "no key is shown", ""),
      ("retrieval", "its key is to be fetched", fetched),
      ("genuine-key-info", "the issuer's key is still shown", nil),
    ] {
      var edits = forgedClaims as [XMLText.Edit?]
      edits.append(setting("Algorithm", SignatureAlgorithm.rsaSHA256.uri, of: method))
      if let keyInfo {
        if let shown = text.child("KeyInfo", of: message.signature) {
          edits.append(XMLText.Edit(text.elements[shown].whole, keyInfo))
        } else if !keyInfo.isEmpty {
          edits.append(text.appending(keyInfo, to: message.signature))
        }
      }
      list.add(
        "key/attacker-\(label)", "another key signed forged claims; \(summary)",
        ["KEY-1", "DSIG-16"], expected, edited(edits).flatMap { sealer.seal($0) })
    }
    // The digest is that of the forged claims, and the signature value the genuine one.
    let forged = edited(forgedClaims.map { $0 }).flatMap { sealer.seal($0) }.map(XMLText.init)
    guard let forged,
      let value = text.child("SignatureValue", of: message.signature),
      forged.elements.count == text.elements.count
    else { return }
    list.add(
      "key/digest-recomputed", "forged claims have their digest, under the genuine signature value",
      ["XSW-13"], .signatureInvalid,
      forged.applying([forged.replacingContent(of: value, with: content(value))]))
  }
}
