import Claims
import TokenErrors
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
