import Claims
import SAML
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Tokens for another audience, delivered here.
  func addSealedAudiences() {
    addDeliveredElsewhere()
    guard endpoint.checksAudience else { return }
    let audiences = message.allInAssertion("Audience")
    let restrictions = text.elements.indices.filter {
      ["AudienceRestriction", "AudienceRestrictionCondition"].contains(text.elements[$0].localName)
    }
    guard let first = audiences.first, let restriction = restrictions.first else { return }
    let ours = content(first).split { $0.isWhitespace }.joined()
    for (label, other) in [
      ("other", "https://other.example/"), ("slash", ours + "/"),
      ("longer", ours + ".evil.example"),
      ("shorter", String(ours.dropLast())), ("upper-case", Self.upperCase(ours)),
      ("empty", ""), ("two-in-one", ours + " https://other.example/"), ("wildcard", "*"),
      ("zero-width", ours + "\u{200B}"),
    ] where other != ours {
      addSealed(
        "audience/\(label)", "the issuer made the token for another audience", ["SEM-13"],
        .audienceMismatch, audiences.map { filling($0, other) })
    }
    addSealed(
      "audience/none", "the token does not say whom it is for", ["SEM-14"],
      .audienceMissing, restrictions.map(removing))
    addSealed(
      "audience/nobody", "the audience restriction is empty", ["SEM-14"],
      .audienceMismatch, restrictions.map { filling($0, "") })
    let prefix = text.elements[first].prefix
    let name = text.elements[restriction].name
    addSealed(
      "audience/second-restriction", "a second restriction is for another audience",
      ["SEM-13"], .audienceMismatch,
      [
        XMLText.Edit(
          at: text.elements[restriction].whole.upperBound,
          "<\(name)><\(prefix)Audience>https://other.example/</\(prefix)Audience></\(name)>")
      ])
    addSealed(
      "audience/instruction", "a processing instruction is put into the audience",
      ["CMT-5"], .mixedContent, [text.appending("<?x y?>", to: first)])
    if message.isVersion2 {
      addSealed(
        "subject/other-service", "the name identifier was made for another service",
        ["SEM-15"], .spNameQualifier,
        [setting("SPNameQualifier", "https://other.example/", of: message.nameIdentifier)])
    }
  }

  static func upperCase(_ text: String) -> String {
    String(
      decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  private func addDeliveredElsewhere() {
    let data = message.allInAssertion("SubjectConfirmationData")
    let confirmations = message.allInAssertion("SubjectConfirmation")
    guard message.isVersion2, data.count == 1, confirmations.count == 1 else { return }
    if let recipient = endpoint.expectations.recipient {
      for (label, other) in [
        ("other", "https://evil.example/acs"), ("slash", recipient + "/"),
        ("longer", recipient + ".evil.example"),
      ] {
        addSealed(
          "recipient/\(label)", "the confirmation is for another address", ["SEM-9"],
          .recipientMismatch, data.map { setting("Recipient", Self.escaped(other), of: $0) })
      }
      addSealed(
        "recipient/none", "the confirmation is for no address", ["SEM-9"],
        .recipientMissing, data.map { text.removingAttribute("Recipient", of: $0) })
    }
    if endpoint.expectations.inResponseTo != nil {
      addSealed(
        "recipient/other-request", "the confirmation answers another request", ["SEM-10"],
        .confirmationRequestMismatch, data.map { setting("InResponseTo", "_other", of: $0) })
      addSealed(
        "recipient/no-request", "the confirmation answers no request", ["SEM-10"],
        .confirmationUnsolicited, data.map { text.removingAttribute("InResponseTo", of: $0) })
    }
  }
}
