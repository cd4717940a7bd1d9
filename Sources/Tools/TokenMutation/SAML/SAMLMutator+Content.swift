import Claims
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Signed content, changed without a new signature.
  func addContent() {
    let assertion = message.assertion
    for (label, index) in [
      ("subject", message.nameIdentifier), ("audience", message.inAssertion("Audience")),
      ("attribute-value", message.inAssertion("AttributeValue")),
    ] {
      list.add(
        "content/\(label)", "signed text is replaced", ["FZ-2"], .digestMismatch,
        edited(filling(index, forgedSubject)))
      list.add(
        "content/\(label)-longer", "signed text is made longer", ["FZ-2"], .digestMismatch,
        edited(index.map { text.appending(".evil.example", to: $0) }))
      list.add(
        "content/\(label)-comment",
        "text is added behind a comment, where some readers stop and others go on", ["CMT-1"],
        .digestMismatch, edited(index.map { text.appending("<!---->.evil.example", to: $0) }))
      list.add(
        "content/\(label)-instruction", "a processing instruction is put into signed text",
        ["CMT-5"], .digestMismatch, edited(index.map { text.prepending("<?x y?>", to: $0) }))
      list.add(
        "content/\(label)-element", "an element is put into signed text", ["CMT-6"],
        .digestMismatch, edited(index.map { text.appending("<x>y</x>", to: $0) }))
    }
    let end = message.inAssertion("Conditions").flatMap {
      text.elements[$0].attribute("NotOnOrAfter")
    }
    list.add(
      "content/lifetime", "the signed end of validity is moved", ["FZ-2"], .digestMismatch,
      edited(end.map { XMLText.Edit($0.value, "9999-01-01T00:00:00Z") }))
    list.add(
      "content/attribute-name", "the name of a signed attribute is changed", ["FZ-2"],
      .digestMismatch,
      edited(
        setting(
          message.isVersion2 ? "Name" : "AttributeName", "evil",
          of: message.inAssertion("Attribute")
        )))
    list.add(
      "content/new-attribute", "an attribute is added to the signed element", ["FZ-4"],
      .digestMismatch, edited(text.addingAttribute("evil=\"1\"", to: assertion)))
    // Inclusive canonicalization has SignedInfo inherit it, and SignedInfo is verified first.
    let method = value("Algorithm", of: message.inSignature("CanonicalizationMethod")) ?? ""
    let inherits = !method.hasPrefix(Self.exclusive) && message.assertionSignature != nil
    list.add(
      "content/language", "xml:lang is added to the signed element", ["FZ-4"],
      inherits ? .signatureInvalid : .digestMismatch,
      edited(text.settingAttribute("xml:lang", to: "zxx", of: assertion)))
    list.add(
      "content/white-space", "a line end is added to the signed element", ["FZ-4"],
      .digestMismatch, edited(text.prepending("\n", to: assertion)))
    for name in ["Conditions", "Subject", "AuthnStatement", "AuthenticationStatement"] {
      list.add(
        "content/without-\(name)", "\(name) is taken out", ["FZ-3"], .digestMismatch,
        edited(removing(message.inAssertion(name))))
      list.add(
        "content/two-\(name)", "\(name) is there twice", ["FZ-3"], .digestMismatch,
        edited(repeating(message.inAssertion(name))))
    }
    addIssuers()
  }

  /// The issuer determines the key, so some of these are detected before the signature.
  private func addIssuers() {
    let assertion = message.assertion
    let element = text.child("Issuer", of: assertion)
    func renamed(_ name: String) -> [UInt8]? {
      message.isVersion2
        ? edited(filling(element, Self.escaped(name)))
        : edited(setting("Issuer", Self.escaped(name), of: assertion))
    }
    let genuine =
      message.isVersion2 ? element.map(content) ?? "" : value("Issuer", of: assertion) ?? ""
    let changed: TokenError.Code = endpoint.namesIssuers ? .issuerUntrusted : .digestMismatch
    for (label, other) in [
      ("other", "https://evil.example/"), ("slash", genuine + "/"), ("longer", genuine + ".evil"),
    ] {
      list.add(
        "issuer/\(label)", "the assertion names another issuer", ["SEM-5", "KEY-17"], changed,
        renamed(other))
    }
    if message.isVersion2 {
      list.add(
        "issuer/none", "the assertion names no issuer", ["SEM-4"], .issuerMissing,
        edited(removing(element)))
      list.add(
        "issuer/format", "the Issuer is no entity", ["SEM-4"], .issuerFormat,
        edited(
          setting(
            "Format", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress", of: element)))
      list.add(
        "issuer/instruction", "a processing instruction is put into the Issuer", ["CMT-5"],
        .mixedContent, edited(element.map { text.prepending("<?x y?>", to: $0) }))
      list.add(
        "issuer/element", "an element is put into the Issuer", ["CMT-6"], .mixedContent,
        edited(element.map { text.appending("<x/>", to: $0) }))
      list.add(
        "issuer/empty", "the Issuer is empty", ["SEM-4"], .issuerMissing, renamed(""))
    } else {
      list.add(
        "issuer/none", "the assertion names no issuer", ["SEM-4"], .issuerMissing,
        edited(text.removingAttribute("Issuer", of: assertion)))
    }
  }
}
