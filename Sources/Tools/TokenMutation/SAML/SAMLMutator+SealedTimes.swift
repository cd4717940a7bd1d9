import Claims
import SAML
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// The instant `seconds` after the time of verification.
  private func at(_ seconds: Int) -> String {
    endpoint.now.advanced(bySeconds: Int64(seconds)).withMilliseconds
  }

  /// Times that the issuer signed and that no endpoint may accept.
  func addSealedTimes() {
    let conditions = message.inAssertion("Conditions")
    let skew = endpoint.skew
    let future = endpoint.firstFuture
    func window(_ from: Int, _ to: Int) -> [XMLText.Edit?] {
      guard let conditions else { return [nil] }
      return bounds(of: conditions, at(from), at(to))
    }
    for (label, attacks, code, from, to) in [
      ("expired-now", ["TIME-1"], TokenError.Code.expired, -3600, -skew),
      ("expired-a-second-ago", ["TIME-1"], .expired, -3600, -skew - 1),
      ("expired-long-ago", ["TIME-1"], .expired, -864_000, -863_000),
      ("not-yet-by-a-second", ["TIME-2"], .notYetValid, future, future + 3600),
      ("next-year", ["TIME-2"], .notYetValid, 31_536_000, 31_540_000),
      ("empty-window", ["TIME-4"], .emptyWindow, 10, 10),
      ("reversed-window", ["TIME-4"], .emptyWindow, 20, 10),
    ] {
      addSealed(
        "time/\(label)", "the issuer signed a window that is not now", attacks, code,
        window(from, to))
    }
    let end = conditions.flatMap { text.elements[$0].attribute("NotOnOrAfter") }
    for (label, value) in [
      ("words", "tomorrow"), ("date", "2099-01-01"), ("no-zone", "2099-01-01T00:00:00"),
      ("month-13", "2099-13-01T00:00:00Z"), ("30-february", "2099-02-30T00:00:00Z"),
      ("hour-25", "2099-01-01T25:00:00Z"), ("seconds", "4070908800"), ("empty", ""),
      ("lower-case", "2099-01-01t00:00:00z"), ("text-behind", "2099-01-01T00:00:00Z x"),
      ("wide-digits", "２099-01-01T00:00:00Z"), ("not-a-number", "NaN"),
    ] {
      addSealed(
        "time/malformed-\(label)", "the end of validity is no time: \(label)", ["TIME-5"],
        .malformedTime, [end.map { XMLText.Edit($0.value, value) }])
    }
    addSealed(
      "time/issued-in-future", "the assertion was issued in the future", ["TIME-3"],
      .issuedInFuture, [setting("IssueInstant", at(future), of: message.assertion)])
    let statement = message.isVersion2 ? "AuthnStatement" : "AuthenticationStatement"
    let authenticated = message.inAssertion(statement)
    let instant = message.isVersion2 ? "AuthnInstant" : "AuthenticationInstant"
    addSealed(
      "time/signed-in-in-future", "the user signed in in the future", ["TIME-3"],
      .authenticatedInFuture, [setting(instant, at(future), of: authenticated)])
    if message.isVersion2 {
      addSealed(
        "time/session-ended", "the session at the issuer has ended", ["TIME-7"],
        .sessionEnded, [setting("SessionNotOnOrAfter", at(-skew), of: authenticated)])
    }
    addConfirmationTimes(end)
    addMissingEnd(conditions)
  }

  private func bounds(of conditions: Int, _ from: String, _ to: String) -> [XMLText.Edit?] {
    let element = text.elements[conditions]
    var edits: [XMLText.Edit?] = []
    var added = ""
    for (name, value) in [("NotBefore", from), ("NotOnOrAfter", to)] {
      if let attribute = element.attribute(name) {
        edits.append(XMLText.Edit(attribute.value, value))
      } else {
        added += " \(name)=\"\(value)\""
      }
    }
    if !added.isEmpty { edits.append(text.addingAttribute(added, to: conditions)) }
    return edits
  }

  /// The bearer confirmations, of which one valid one would be enough.
  private func addConfirmationTimes(_ end: XMLText.Attribute?) {
    let confirmations = message.allInAssertion("SubjectConfirmation")
    let data = message.allInAssertion("SubjectConfirmationData")
    guard message.isVersion2, end != nil, data.count == 1, confirmations.count == 1 else {
      return
    }
    let ended = at(-endpoint.skew)
    addSealed(
      "time/confirmation-ended", "the bearer confirmation has expired", ["TIME-6"],
      .confirmationExpired, data.map { setting("NotOnOrAfter", ended, of: $0) })
    let later = at(endpoint.firstFuture)
    addSealed(
      "subject/confirmation-begins", "the bearer confirmation is not valid yet", ["SEM-11"],
      .confirmationNotYetValid,
      data.flatMap {
        [
          setting("NotBefore", later, of: $0),
          setting("NotOnOrAfter", at(endpoint.firstFuture + 3600), of: $0),
        ]
      })
    guard !endpoint.expectations.isEmpty else { return }
    addSealed(
      "subject/confirmation-endless", "the bearer confirmation never ends", ["SEM-12"],
      .confirmationData, data.map { text.removingAttribute("NotOnOrAfter", of: $0) })
    addSealed(
      "subject/confirmation-without-data", "the bearer confirmation has no data",
      ["SEM-12"], .confirmationData, data.map(removing))
  }

  private func addMissingEnd(_ conditions: Int?) {
    let ending = ([conditions] + message.allInAssertion("SubjectConfirmationData")).compactMap {
      $0
    }
    let edits = ending.compactMap { text.removingAttribute("NotOnOrAfter", of: $0) }
    addSealed("time/no-end", "the token has no end", ["TIME-9"], .noExpiry, edits)
  }
}
