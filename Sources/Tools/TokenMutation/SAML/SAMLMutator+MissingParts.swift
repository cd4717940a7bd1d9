import Claims
import SAML
import TokenBasics
import XMLTree

/// Parts that the schema wants, and that are absent or there in name alone. A reader that takes the absence of a value for
/// the absence of a condition accepts them.
extension SAMLMutator {
  /// The parts of an unsigned Response.
  func addHollowResponse(_ response: Int) {
    if let time = text.elements[response].attribute("IssueInstant") {
      list.add(
        "response/empty-time", "the time of the Response is empty", ["TIME-5"], .malformedTime,
        edited(XMLText.Edit(time.value, "")))
    }
    list.add(
      "response/empty-identifier", "the identifier of the Response is empty", ["REF-23"],
      .malformedID, edited(setting(message.identifierName(of: response), "", of: response)))
    if let status = text.child("Status", of: response) {
      list.add(
        "response/hollow-status", "the Status has no code", ["SEM-2"], .missingElement,
        edited(filling(status, "")))
    }
    list.add(
      "response/no-assertion", "the Response has no assertion", ["SEM-2"], .noAssertion,
      edited(removing(message.assertion)))
    guard message.isVersion2 else { return }
    list.add(
      "response/no-time", "the Response does not say when it was issued", ["TIME-5"],
      .missingAttribute, edited(text.removingAttribute("IssueInstant", of: response)))
    list.add(
      "response/no-version", "the Response is of no version", ["SEM-1"], .messageVersion,
      edited(text.removingAttribute("Version", of: response)))
    if let code = text.descendant("StatusCode", of: response) {
      list.add(
        "response/empty-status", "the code of the Status is empty", ["SEM-2"], .missingAttribute,
        edited(setting("Value", "", of: code)))
    }
    if let issuer = text.child("Issuer", of: response) {
      list.add(
        "response/empty-issuer", "the Issuer of the Response is empty", ["XSW-35", "SEM-6"],
        .issuerMismatch, edited(filling(issuer, "")))
      list.add(
        "response/issuer-format", "the Issuer of the Response is no entity", ["SEM-6"],
        .issuerFormat, edited(setting("Format", Self.transient, of: issuer)))
    }
    if endpoint.expectations.inResponseTo != nil {
      list.add(
        "response/empty-request", "the Response answers a request without a name", ["SEM-8"],
        .responseRequestMismatch, edited(setting("InResponseTo", "", of: response)))
    }
  }

  private static let transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

  /// The parts of an assertion, which the issuer signed.
  func addSealedHollows() {
    guard message.isVersion2 else { return }
    let assertion = message.assertion
    addSealed(
      "time/no-issue-instant", "the assertion does not say when it was issued", ["TIME-5"],
      .missingAttribute, [text.removingAttribute("IssueInstant", of: assertion)])
    addSealed(
      "time/malformed-issue-instant", "the time of the assertion is no time", ["TIME-5"],
      .malformedTime, [setting("IssueInstant", "yesterday", of: assertion)])
    addSealed(
      "time/malformed-begin", "the begin of validity is no time", ["TIME-5"], .malformedTime,
      [setting("NotBefore", "yesterday", of: message.inAssertion("Conditions"))])
    addHollowStructure(assertion)
    addHollowConfirmations()
    guard endpoint.checksAudience, let conditions = message.inAssertion("Conditions") else {
      return
    }
    let bounds = ["NotBefore", "NotOnOrAfter"].compactMap {
      text.removingAttribute($0, of: conditions)
    }
    // Without another end these would be refused for having none.
    guard value("NotOnOrAfter", of: message.inAssertion("SubjectConfirmationData")) != nil else {
      return
    }
    addSealed(
      "audience/no-conditions", "the assertion has no Conditions", ["SEM-14"], .audienceMissing,
      [removing(conditions)])
    addSealed(
      "audience/hollow-conditions", "the Conditions hold nothing", ["SEM-14"], .audienceMissing,
      bounds + [filling(conditions, "")])
  }

  private func addHollowStructure(_ assertion: Int) {
    // The signature names what it covers, so it has to name nothing too.
    let reference = message.assertionSignature.flatMap { text.descendant("Reference", of: $0) }
    if message.responseSignature == nil {
      addSealed(
        "structure/no-identifier", "the assertion has no identifier", ["REF-23"],
        .missingAttribute, [text.removingAttribute("ID", of: assertion)])
      addSealed(
        "structure/empty-identifier", "the identifier of the assertion is empty", ["REF-23"],
        .malformedID, [setting("ID", "", of: assertion), setting("URI", "#", of: reference)])
    }
    let statement = message.inAssertion("AuthnStatement")
    addSealed(
      "structure/undated-sign-in", "the statement does not say when the user signed in",
      ["SEM-21"], .missingAttribute,
      [statement.flatMap { text.removingAttribute("AuthnInstant", of: $0) }])
    addSealed(
      "structure/malformed-sign-in", "the time at which the user signed in is no time", ["TIME-5"],
      .malformedTime, [setting("AuthnInstant", "yesterday", of: statement)])
    addSealed(
      "structure/hollow-context", "the way in which the user signed in is empty", ["SEM-21"],
      .missingElement, [filling(message.inAssertion("AuthnContext"), "")])
    addSealed(
      "structure/hollow-sign-in", "the statement does not say how the user signed in",
      ["SEM-21"], .missingElement, [removing(message.inAssertion("AuthnContext"))])
  }

  /// A subject of one confirmation, since one valid one is enough.
  private func addHollowConfirmations() {
    let confirmations = message.allInAssertion("SubjectConfirmation")
    let data = message.allInAssertion("SubjectConfirmationData")
    guard confirmations.count == 1, data.count == 1 else { return }
    addSealed(
      "subject/method-absent", "the confirmation names no method", ["SEM-11"],
      .confirmationMethod, confirmations.map { text.removingAttribute("Method", of: $0) })
    addSealed(
      "subject/method-empty", "the method of the confirmation is empty", ["SEM-11"],
      .confirmationMethod, confirmations.map { setting("Method", "", of: $0) })
    addSealed(
      "subject/hollow", "the subject holds nothing", ["SEM-17"], .confirmationMissing,
      [filling(message.inAssertion("Subject"), "")])
    for (label, value) in [("words", "tomorrow"), ("empty", "")] {
      addSealed(
        "time/confirmation-malformed-\(label)", "the end of the bearer confirmation is no time",
        ["TIME-5"], .malformedTime, data.map { setting("NotOnOrAfter", value, of: $0) })
    }
    if endpoint.expectations.recipient != nil {
      addSealed(
        "recipient/empty", "the confirmation is for an address without a name", ["SEM-9"],
        .recipientMissing, data.map { setting("Recipient", "", of: $0) })
    }
    if endpoint.expectations.inResponseTo != nil {
      addSealed(
        "recipient/empty-request", "the confirmation answers a request without a name",
        ["SEM-10"], .confirmationUnsolicited, data.map { setting("InResponseTo", "", of: $0) })
    }
  }
}
