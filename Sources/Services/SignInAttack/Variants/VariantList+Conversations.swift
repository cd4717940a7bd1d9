extension VariantList {
  /// The variants of several steps.
  static func conversations(of configuration: AttackConfiguration) -> [AttackVariant] {
    switch configuration.protocolName {
    case .saml20: saml + (configuration.logout == nil ? [] : samlLogout)
    case .wsFederation: passive
    case .openID:
      openID + (configuration.logout == nil ? [] : backChannelLogout)
        + (configuration.frontChannelLogout == nil ? [] : frontChannelLogout)
    }
  }

  private static let anyone = "an attacker who gets hold of an answer is signed in with it"
  private static let pushed = "a person can be signed in as another person without noticing"

  private static let saml =
    posted(
      answer: "SAML Profiles 4.1.4.3", replay: "SAML Profiles 4.1.4.5",
      unsolicited: "SAML Profiles 4.1.5") + [
      AttackVariant(
        "other-browser/relay-state",
        "an answer to one browser's request with the RelayState of another's",
        clause: "SAML Profiles 4.1.4.3", meaning: pushed, .warning, .conversation(.otherState)),
      led("RelayState", clause: "SAML Bindings 3.5.3; CWE-601"),
    ]

  private static let passive =
    posted(
      answer: "WS-Federation 1.2, 13.2.2", replay: "WS-Federation 1.2, 16",
      unsolicited: "WS-Federation 1.2, 13.2.2")
    + [led("wctx", clause: "WS-Federation 1.2, 13.2.2; CWE-601")]

  /// Those of answers that the browser posts.
  private static func posted(
    answer: String, replay: String, unsolicited: String
  ) -> [AttackVariant] {
    [
      AttackVariant(
        "replay/other-browser", "an answer that signed in is posted again from another browser",
        clause: replay, meaning: anyone, .error, .conversation(.replayInOtherBrowser)),
      AttackVariant(
        "replay/same-browser", "an answer that signed in is posted again by the same browser",
        clause: replay, meaning: "the next person at the browser can go back to the session",
        .warning, .conversation(.replayInSameBrowser)),
      AttackVariant(
        "other-browser/with-request",
        "an answer to one browser's request is posted by another, which has its own under way",
        clause: answer, meaning: pushed, .warning, .conversation(.otherBrowser)),
      AttackVariant(
        "other-browser/without-request",
        "an answer to one browser's request is posted by another, which made none",
        clause: answer, meaning: pushed, .warning, .conversation(.bareBrowser)),
      AttackVariant(
        "unsolicited/no-request", "an answer that no request came before", clause: unsolicited,
        meaning: pushed + "; some services allow it on purpose", .note,
        .conversation(.unsolicited)),
    ]
  }

  private static func led(_ parameter: String, clause: String) -> AttackVariant {
    AttackVariant(
      "state/other-site", "the \(parameter) of the answer is an address of another site",
      clause: clause, meaning: "a link to the service leads a person who signs in elsewhere",
      .warning, .conversation(.foreignState))
  }

  private static let openID: [AttackVariant] = [
    AttackVariant(
      "replay/other-browser", "the address with a code that signed in is opened in another browser",
      clause: "RFC 6749, 10.12; RFC 9700, 4.7.1", meaning: anyone, .error,
      .conversation(.replayInOtherBrowser)),
    AttackVariant(
      "replay/same-browser",
      "the address with a code that signed in is opened again by the same browser",
      clause: "RFC 6749, 4.1.2",
      meaning: "the next person at the browser can go back to the session",
      .warning, .conversation(.replayInSameBrowser)),
    AttackVariant(
      "other-browser/with-request",
      "the answer to one browser's request is opened by another, which has its own under way",
      clause: "RFC 6749, 10.12; RFC 9700, 4.7.1", meaning: pushed, .error,
      .conversation(.otherBrowser)),
    AttackVariant(
      "other-browser/without-request",
      "the answer to one browser's request is opened by another, which made none",
      clause: "RFC 6749, 10.12; RFC 9700, 4.7.1", meaning: pushed, .error,
      .conversation(.bareBrowser)),
    AttackVariant(
      "code/stolen", "a code of one browser's sign-in with the state of another's",
      clause: "RFC 9700, 4.5.3; RFC 7636, 1", meaning: "a stolen code signs in", .error,
      .conversation(.stolenCode)),
    AttackVariant(
      "unsolicited/no-request", "a code that no request came before", clause: "RFC 9700, 4.7.1",
      meaning: pushed, .error, .conversation(.unsolicited)),
  ]
}
