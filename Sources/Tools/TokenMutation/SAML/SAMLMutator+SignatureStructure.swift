import Claims
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Signatures that are missing, or malformed.
  func addSignatureStructure() {
    let signature = message.signature
    let all = text.elements.indices.filter {
      text.elements[$0].localName == "Signature"
        && text.namespace(of: $0) == MessageText.signatureNamespace
    }
    let outermost = all.filter { index in
      !all.contains {
        $0 != index && text.elements[$0].whole.contains(text.elements[index].startTag.lowerBound)
      }
    }
    list.add(
      "signature/removed", "every signature is taken out", ["DSIG-1"], .signatureMissing,
      edited(outermost.map(text.removing)))
    list.add(
      "signature/hollow", "the Signature element is empty", ["DSIG-2"], .signatureStructure,
      edited(filling(signature, "")))
    addMissingParts(of: signature)
    addForgedSignedInfo(signature)
    list.add(
      "signature/key-info-first", "KeyInfo is before SignedInfo", ["DSIG-7"],
      .signatureStructure, edited(text.prepending("<\(ds)KeyInfo/>", to: signature)))
    list.add(
      "signature/unknown-child", "the signature has a child that it cannot have", ["DSIG-7"],
      .signatureStructure, edited(text.appending("<\(ds)Unknown/>", to: signature)))
    list.add(
      "signature/repeated", "the same signature occurs twice", ["XSW-29", "XSW-14"],
      .signatureRepeated,
      edited(
        XMLText.Edit(
          at: text.elements[signature].whole.upperBound, message.withoutIdentifiers(signature))))
    addLookAlikeNamespaces(all)
    addMisplaced()
  }

  /// Parts of the signature that are missing, twice there, or without their algorithm.
  private func addMissingParts(of signature: Int) {
    for name in ["SignedInfo", "SignatureValue"] {
      let part = text.child(name, of: signature)
      list.add(
        "signature/without-\(name)", "the signature has no \(name)", ["DSIG-2"],
        .signatureStructure, edited(removing(part)))
      list.add(
        "signature/two-\(name)", "the signature has two \(name)", ["DSIG-4", "DSIG-7"],
        .signatureStructure, edited(repeating(part)))
    }
    for name in [
      "CanonicalizationMethod", "SignatureMethod", "DigestMethod", "DigestValue", "Transforms",
    ] {
      list.add(
        "signature/two-\(name)", "the signature has two \(name)", ["DSIG-7"],
        .signatureStructure, edited(repeating(message.inSignature(name))))
    }
    for name in ["CanonicalizationMethod", "SignatureMethod", "DigestMethod"] {
      let part = message.inSignature(name)
      list.add(
        "signature/without-\(name)", "the signature has no \(name)", ["DSIG-7"],
        .signatureStructure, edited(removing(part)))
      list.add(
        "signature/\(name)-without-Algorithm", "\(name) has no Algorithm", ["DSIG-2"],
        .signatureStructure, edited(part.flatMap { text.removingAttribute("Algorithm", of: $0) }))
      list.add(
        "signature/\(name)-foreign-Algorithm", "Algorithm of \(name) is in a foreign namespace",
        ["DSIG-7"], .signatureStructure,
        edited(
          part.flatMap { index in
            text.elements[index].attribute("Algorithm").map {
              XMLText.Edit($0.whole, "xmlns:evil=\"urn:evil\" evil:\(text.text($0.whole))")
            }
          }))
    }
  }

  private func addForgedSignedInfo(_ signature: Int) {
    guard let info = text.child("SignedInfo", of: signature) else { return }
    let digest = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let copy = XMLText(Array(message.whole(info).utf8))
    let forged = copy.elements.indices.first { copy.elements[$0].localName == "DigestValue" }.map {
      String(decoding: copy.applying([copy.replacingContent(of: $0, with: digest)]), as: UTF8.self)
    }
    guard let forged else { return }
    list.add(
      "signature/forged-SignedInfo-first", "a forged SignedInfo is before the genuine one",
      ["DSIG-4"], .signatureStructure, edited(text.prepending(forged, to: signature)))
    list.add(
      "signature/SignedInfo-in-Object", "a forged SignedInfo is in an Object", ["DSIG-5"],
      .signatureStructure,
      edited(text.appending("<\(ds)Object>\(forged)</\(ds)Object>", to: signature)))
  }

  /// A slightly different namespace name: the element is then no signature.
  private func addLookAlikeNamespaces(_ all: [Int]) {
    guard all.count == 1, message.responseSignature == nil else { return }
    // Before Issuer, where some put the signature, an element that is none hides the issuer.
    let isFirst = message.assertionSignature == text.children(of: message.assertion).first
    let places = text.elements.flatMap(\.attributes).filter {
      text.text($0.value) == MessageText.signatureNamespace
    }
    for (label, namespace) in [
      ("no-hash", "http://www.w3.org/2000/09/xmldsig"),
      ("slash", MessageText.signatureNamespace + "/"),
      ("xmldsig11", "http://www.w3.org/2009/xmldsig11#"),
    ] {
      list.add(
        "signature/namespace-\(label)", "the signature is in a namespace that only looks right",
        ["DSIG-3"], isFirst && message.isVersion2 ? .issuerMissing : .signatureMissing,
        edited(places.map { XMLText.Edit($0.value, namespace) }))
    }
  }

  /// The signature in another place than its parent.
  private func addMisplaced() {
    guard let signature = message.assertionSignature else { return }
    // An outer signature would cover the move.
    let isInner = message.responseSignature != nil
    let moved = message.whole(signature)
    for name in ["Subject", "Conditions", "AttributeStatement"] {
      list.add(
        "signature/moved-to-\(name)", "the signature is moved into \(name)", ["XSW-18"],
        isInner ? .digestMismatch : .signatureMisplaced,
        edited(
          removing(signature), message.inAssertion(name).map { text.prepending(moved, to: $0) }))
    }
    guard let response = message.response, !isInner else { return }
    let place = inResponse(moved, response)
    list.add(
      "signature/moved-to-Response", "the assertion's signature is in the Response",
      ["XSW-19"], .referenceURI, edited(removing(signature), place))
    list.add(
      "signature/copied-to-Response", "the assertion's signature is in the Response too",
      ["XSW-19"], .referenceURI, edited(inResponse(message.withoutIdentifiers(signature), response))
    )
  }

  /// A signature at the position of the Response's own.
  private func inResponse(_ signature: String, _ response: Int) -> XMLText.Edit {
    let issuer = text.child("Issuer", of: response)
    return issuer.map { XMLText.Edit(at: text.elements[$0].whole.upperBound, signature) }
      ?? text.prepending(signature, to: response)
  }
}

extension SAMLMutator {
  /// References that do not name the element with the signature, or not only that one.
  func addReferences() {
    guard let reference = message.inSignature("Reference"),
      let uri = value("URI", of: reference), uri.hasPrefix("#")
    else { return }
    let id = String(uri.dropFirst())
    let escaped = id.utf8.first.map { first in
      "#%" + String(first, radix: 16) + id.dropFirst()
    }
    for (label, attacks, other) in [
      ("bare-hash", ["REF-3"], "#"),
      ("two-hashes", ["REF-3"], "##" + id), ("no-hash", ["REF-3"], id),
      ("space", ["REF-3"], "# " + id), ("space-behind", ["REF-3", "REF-15"], uri + " "),
      ("xpointer-root", ["REF-4"], "#xpointer(/)"),
      ("xpointer-id", ["REF-4"], "#xpointer(id('\(id)'))"),
      ("element-scheme", ["REF-4"], "#element(/1)"),
      ("http", ["REF-5"], "http://127.0.0.1:9/x"), ("file", ["REF-5"], "file:///etc/passwd"),
      ("data", ["REF-5"], "data:,x"), ("document", ["REF-5"], "other.xml#" + id),
      ("percent-escape", ["REF-6"], escaped ?? ""),
      ("xpath-injection", ["REF-7"], "\(uri)&quot; or &quot;1&quot;=&quot;1"),
      ("xpath-union", ["REF-7"], "\(uri)']|//*[@x='"), ("absent", ["REF-8"], "#_nobody"),
      ("longer", ["REF-15"], uri + "x"),
    ] {
      list.add(
        "reference/\(label)", "the reference names something else", attacks, .referenceURI,
        edited(setting("URI", other, of: reference)))
    }
    // A reference to the whole document is allowed, but was not signed.
    list.add(
      "reference/empty", "the reference names the whole document", ["REF-1"],
      text.elements[message.signedElement].parent == nil ? .signatureInvalid : .referenceURI,
      edited(setting("URI", "", of: reference)))
    list.add(
      "reference/no-URI", "the reference names nothing", ["REF-2"], .referenceURI,
      edited(text.removingAttribute("URI", of: reference)))
    list.add(
      "reference/none", "the signature covers nothing", ["REF-19"], .referenceCount,
      edited(removing(reference)))
    list.add(
      "reference/two", "the signature covers two things", ["REF-20"], .referenceCount,
      edited(repeating(reference)))
    let many = String(repeating: message.whole(reference), count: 65)
    list.add(
      "reference/many", "the signature covers 65 things", ["REF-20", "DOS-13"], .tooManyReferences,
      edited(XMLText.Edit(text.elements[reference].whole, many)))
    list.add(
      "reference/manifest", "the reference is of the type Manifest", ["REF-21"], .referenceType,
      edited(
        text.addingAttribute(
          "Type=\"\(MessageText.signatureNamespace)Manifest\"", to: reference)))
    list.add(
      "reference/unknown-attribute", "the reference has an attribute that it cannot have",
      ["DSIG-7"], .signatureStructure, edited(text.addingAttribute("URL=\"#x\"", to: reference)))
  }
}

extension SAMLMutator {
  /// The signature value and the digest, changed, cut and encoded differently.
  func addSignatureValues() {
    addValue(
      "SignatureValue", text.child("SignatureValue", of: message.signature),
      malformed: .malformedSignatureValue, wrong: .signatureInvalid, wrongLength: .signatureInvalid)
    // The digest is part of what the signature value covers, which is verified first.
    addValue(
      "DigestValue", message.inSignature("DigestValue"), malformed: .malformedDigestValue,
      wrong: .signatureInvalid, wrongLength: .malformedDigestValue)
  }

  private func addValue(
    _ name: String, _ index: Int?, malformed: TokenError.Code, wrong: TokenError.Code,
    wrongLength: TokenError.Code
  ) {
    guard let index else { return }
    let base64 = content(index).filter { !$0.isWhitespace }
    guard let bytes = try? Base64.decode(Array(base64.utf8).span), bytes.count > 16 else { return }
    let family = "value"
    let whole = text.elements[index].name
    for (label, content) in [
      ("empty", ""), ("white-space", "  \n "), ("instruction", base64 + "<?x y?>"),
      ("element", base64 + "<x/>"), ("element-first", "<\(whole)>AAAA</\(whole)>" + base64),
    ] {
      list.add(
        "\(family)/\(name)-\(label)", "\(name) is no base64 text", ["DSIG-2", "DSIG-6"], malformed,
        edited(filling(index, content)))
    }
    for trick in Base64Tricks.variants(of: base64) {
      list.add(
        "\(family)/\(name)-\(trick.name)", "\(name) is not canonical base64: \(trick.summary)",
        ["DSIG-14"], malformed, edited(filling(index, trick.text)))
    }
    for (label, position) in [
      ("first", 0), ("middle", bytes.count / 2), ("last", bytes.count - 1),
    ] {
      var changed = bytes
      changed[position] ^= 1
      list.add(
        "\(family)/\(name)-flip-\(label)", "one bit of \(name) is flipped", ["DSIG-13", "FZ-2"],
        wrong, edited(filling(index, Base64.encode(changed))))
    }
    for (label, changed) in [
      ("cut", Array(bytes.dropLast())), ("half", Array(bytes.prefix(bytes.count / 2))),
      ("longer", bytes + [0]),
    ] {
      list.add(
        "\(family)/\(name)-\(label)", "\(name) has another length", ["DSIG-13", "CRY-6"],
        wrongLength, edited(filling(index, Base64.encode(changed))))
    }
    list.add(
      "\(family)/\(name)-zero", "\(name) is all zeros", ["CRY-7"], wrong,
      edited(filling(index, Base64.encode([UInt8](repeating: 0, count: bytes.count)))))
  }
}
