import Claims
import SAML
import SecurityKeys
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Subjects with no name, with several, or with a confirmation that a bearer cannot meet.
  func addSealedSubjects() {
    let name = message.nameIdentifier
    addSealed(
      "subject/empty", "the name identifier is empty", ["SEM-16"], .emptyNameIdentifier,
      // Each statement of SAML 1.1 has one, and they must not differ.
      message.isVersion2
        ? [filling(name, "")] : message.allInAssertion("NameIdentifier").map { filling($0, "") })
    addSealed(
      "subject/instruction", "a processing instruction divides the name", ["CMT-5"],
      .mixedContent, [name.map { text.appending("<?x y?>.evil.example", to: $0) }])
    addSealed(
      "subject/element", "an element divides the name", ["CMT-6"], .mixedContent,
      [name.map { text.appending("<x>.evil.example</x>", to: $0) }])
    addSealed(
      "subject/two-names", "the subject has two names", ["XSW-33"], .repeatedElement,
      [repeating(name)])
    let subject = message.inAssertion("Subject")
    if message.isVersion2 {
      addSealed(
        "subject/none", "the assertion has no subject", ["SEM-17"], .subjectMissing,
        [removing(subject)])
      addSealed(
        "subject/two", "the assertion has two subjects", ["XSW-33"], .repeatedElement,
        [repeating(subject)])
      for method in ["holder-of-key", "sender-vouches", "bearer2"] {
        addSealed(
          "subject/\(method)", "the subject is confirmed in another way", ["SEM-11"],
          .confirmationMethod,
          message.allInAssertion("SubjectConfirmation").map {
            setting("Method", "urn:oasis:names:tc:SAML:2.0:cm:\(method)", of: $0)
          })
      }
    } else {
      for method in ["holder-of-key", "sender-vouches"] {
        addSealed(
          "subject/\(method)", "the subject is confirmed in another way", ["S11-4"],
          .confirmationMethod,
          message.allInAssertion("ConfirmationMethod").map {
            filling($0, "urn:oasis:names:tc:SAML:1.0:cm:\(method)")
          })
      }
      addDifferingSubject()
    }
    // SAML 1.1 makes it optional.
    guard message.isVersion2 else { return }
    addSealed(
      "subject/unconfirmed", "the subject has no confirmation", ["SEM-11"],
      .confirmationMissing, message.allInAssertion("SubjectConfirmation").map(removing))
  }

  /// SAML 1.1 has a subject in each statement.
  private func addDifferingSubject() {
    let statement = ["AttributeStatement", "AuthenticationStatement"].compactMap(
      message.inAssertion
    ).first
    guard let statement, message.nameIdentifier != nil else { return }
    let twin = Forgery.twin(
      of: message.whole(statement), naming: forgedSubject, identifier: .same, keepsSignature: true)
    guard twin != message.whole(statement) else { return }
    addSealed(
      "subject/differs", "two statements are about different subjects", ["S11-3"],
      .subjectDiffers, [XMLText.Edit(at: text.elements[statement].whole.upperBound, twin)])
  }

  /// Assertions that the issuer built wrongly, or in a way that this library does not support.
  func addSealedStructure() {
    let assertion = message.assertion
    let conditions = message.inAssertion("Conditions")
    addSealed(
      "structure/version", "the assertion is of another version", ["SEM-1", "S11-1"],
      .messageVersion,
      [setting(message.isVersion2 ? "Version" : "MinorVersion", "9", of: assertion)])
    addSealed(
      "structure/two-Conditions", "there are two Conditions", ["XSW-33"], .repeatedElement,
      [repeating(conditions)])
    addSealed(
      "structure/unknown-condition", "there is an unknown condition", ["SEM-19"],
      .unknownCondition, [conditions.map { text.appending("<evil xmlns=\"urn:evil\"/>", to: $0) }])
    addSealed(
      "structure/unknown-statement", "there is an unknown statement", ["SEM-20"],
      .unexpectedElement,
      [
        conditions.map {
          XMLText.Edit(at: text.elements[$0].whole.upperBound, "<evil xmlns=\"urn:evil\"/>")
        }
      ])
    addSealed(
      "structure/loose-text", "text is between the statements", ["XSW-33"],
      .unexpectedText,
      [conditions.map { XMLText.Edit(at: text.elements[$0].whole.upperBound, "evil") }])
    addSealedAttributes()
    let isSignIn =
      endpoint.expectations.recipient != nil || endpoint.expectations.inResponseTo != nil
    if message.isVersion2, message.response != nil, isSignIn {
      addSealed(
        "structure/no-sign-in", "no statement asserts that the user signed in", ["SEM-21"],
        .noAuthentication, message.allInAssertion("AuthnStatement").map(removing))
    }
    addSealedIssuer()
  }

  private func addSealedAttributes() {
    let prefix = text.elements[message.assertion].prefix
    let attribute = message.inAssertion("Attribute")
    addSealed(
      "structure/nameless-attribute", "an attribute has no name", ["CMT-12"],
      .missingAttribute,
      [
        attribute.flatMap {
          text.removingAttribute(message.isVersion2 ? "Name" : "AttributeName", of: $0)
        }
      ])
    if !message.isVersion2, value("AttributeNamespace", of: attribute)?.isEmpty == false {
      addSealed(
        "structure/divided-attribute-name", "the name of an attribute could be cut in two ways",
        ["S11-7"], .unexpectedAttribute, [setting("AttributeName", "a/b", of: attribute)])
    }
    addSealed(
      "structure/attribute-content", "an attribute holds what it cannot hold", ["CMT-12"],
      .unexpectedElement, [attribute.map { text.appending("<\(prefix)Evil/>", to: $0) }])
    addSealed(
      "structure/value-instruction", "a processing instruction divides a value",
      ["CMT-5"], .mixedContent,
      [
        message.allInAssertion("AttributeValue").first {
          !content($0).isEmpty && !content($0).contains("<") && value("nil", of: $0) == nil
            && !text.text(text.elements[$0].startTag).contains(":nil=")
        }.map { text.prepending("<?x y?>", to: $0) }
      ])
  }

  private func addSealedIssuer() {
    let responseIssuer = message.response.flatMap { text.child("Issuer", of: $0) }
    guard endpoint.namesIssuers || responseIssuer != nil else { return }
    let other = "https://other.example/"
    let element = text.child("Issuer", of: message.assertion)
    addSealed(
      "issuer/signed-for-another", "the key of one issuer signs in the name of another",
      ["XSW-35", "KEY-17"], endpoint.namesIssuers ? .issuerUntrusted : .issuerMismatch,
      [
        message.isVersion2
          ? filling(element, other) : setting("Issuer", other, of: message.assertion)
      ])
  }

  /// Genuine signatures of the issuer's key that prove too little.
  func addSealedSignatures() {
    let method = message.inSignature("SignatureMethod")
    let reference = message.inSignature("Reference")
    let transforms = message.inSignature("Transforms")
    if let family {
      for legacy in SignatureAlgorithm.all where legacy.family == family && legacy.isLegacy {
        addSealed(
          "weak/\(legacy.name)", "the issuer's key made a signature with SHA-1",
          ["DSIG-8"], .legacyAlgorithm, [setting("Algorithm", legacy.uri, of: method)])
      }
    }
    addSealed(
      "weak/digest-sha1", "the digest is SHA-1 under a sound signature", ["DSIG-8"],
      .legacyAlgorithm,
      [setting("Algorithm", DigestAlgorithm.sha1.uri, of: message.inSignature("DigestMethod"))])
    addSealed(
      "weak/reference-absent", "the issuer signed a reference to something else", ["REF-8"],
      .referenceURI, [setting("URI", "#_x", of: reference)])
    // The document element may be signed by a reference to the whole document.
    if text.elements[message.signedElement].parent != nil {
      addSealed(
        "weak/reference-whole-document", "the issuer signed the document around the assertion",
        ["REF-1"], .referenceURI, [setting("URI", "", of: reference)])
    }
    addSealed(
      "weak/no-reference", "the issuer signed a list of nothing", ["REF-19"],
      .referenceCount, [removing(reference)])
    addSealed(
      "weak/two-references", "the issuer signed two references", ["REF-20"],
      .referenceCount, [repeating(reference)])
    for (name, attacks, list) in refusedTransforms {
      addSealed(
        "weak/transform-\(name)", "the issuer signed transforms that are never allowed",
        attacks, .refusedTransform, [filling(transforms, list)])
    }
    if message.isVersion2, let issuer = text.child("Issuer", of: message.assertion) {
      addSealed(
        "weak/signed-issuer-only", "the issuer signed a part of the assertion", ["XSW-16"],
        .referenceURI,
        [text.addingAttribute("ID=\"_part\"", to: issuer), setting("URI", "#_part", of: reference)])
    }
    list.add(
      "weak/wrong-digest", "the issuer's signature is sound and the digest in it is not",
      ["DSIG-13"], .digestMismatch, issuerSigned: true,
      sealer?.seal(text.octets, spoilsDigest: true))
  }
}
