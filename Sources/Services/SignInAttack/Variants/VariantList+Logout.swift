extension VariantList {
  /// What a request for logout is in one protocol.
  private struct LogoutKind {
    let noun: String
    let clause: String
    let channel: AttackVariant.LogoutChannel

    /// A variant of it; `what` goes behind the noun.
    func variant(
      _ name: String, _ what: String, _ meaning: String, _ severity: AttackVariant.Severity,
      _ flaw: AttackVariant.LogoutFlaw, clause other: String? = nil
    ) -> AttackVariant {
      AttackVariant(
        "logout/" + name, "\(noun) \(what)", clause: other ?? clause, meaning: meaning, severity,
        .conversation(.logout(flaw, channel)))
    }
  }

  private static let again =
    "an attacker who sees a request for logout can sign that person out again"
  private static let elsewhere = "what another service was sent signs a person out"

  /// What can be wrong with a request for logout of either protocol.
  private static func common(_ kind: LogoutKind, lifetime: String) -> [AttackVariant] {
    let anyone = "anyone can sign a person out"
    return [
      kind.variant("unsigned", "that nothing signs", anyone, .warning, .unsigned),
      kind.variant("other-key", "that another key signs", anyone, .warning, .otherKey),
      kind.variant(
        "other-issuer", "in the name of another provider",
        "a provider can sign out the people of every other one", .warning, .otherIssuer),
      kind.variant(
        "expired", "whose time is over", again, .note, .expired, clause: lifetime),
      kind.variant(
        "replayed", "that has ended a session before", again, .note, .replayed, clause: lifetime),
    ]
  }

  /// Requests for logout of SAML 2.0.
  static let samlLogout: [AttackVariant] = {
    let kind = LogoutKind(
      noun: "a request for logout", clause: "SAML Profiles 4.4.4.1", channel: .browser)
    return common(kind, lifetime: "SAML Core 3.7.1") + [
      kind.variant(
        "other-destination", "that was sent somewhere else", elsewhere, .note, .otherAudience,
        clause: "SAML Bindings 3.4.5.2"),
      kind.variant(
        "other-subject", "of another person", "a person is signed out with another one", .note,
        .otherSubject, clause: "SAML Profiles 4.4.3.3; SAML Core 3.7.3.1"),
      AttackVariant(
        "logout/unsolicited-response", "an answer to a request for logout that was not made",
        clause: "SAML Core 3.2.2; SAML Profiles 4.4.4.2",
        meaning: "anyone who has an old answer can sign a person out", .warning,
        .conversation(.logout(.unsolicitedResponse, .browser))),
    ]
  }()

  /// Logout tokens of OpenID Connect.
  static let backChannelLogout: [AttackVariant] = {
    let clause = "OpenID Connect Back-Channel Logout 1.0, 2.6"
    let kind = LogoutKind(noun: "a logout token", clause: clause, channel: .backChannel)
    let mistaken = "a token that is for something else signs a person out"
    return common(kind, lifetime: clause) + [
      kind.variant("other-audience", "for another client", elsewhere, .warning, .otherAudience),
      kind.variant(
        "other-subject", "of another person", "a person is signed out with another one", .warning,
        .otherSubject),
      kind.variant("nonce", "with a nonce, as ID tokens have", mistaken, .note, .nonce),
      kind.variant("no-events", "without events", mistaken, .warning, .withoutEvents),
      kind.variant("other-events", "of another event", mistaken, .warning, .otherEvents),
      kind.variant(
        "no-subject", "that names no person and no session",
        "people are signed out who were not named", .warning, .withoutSubject),
      AttackVariant(
        "logout/id-token", "an ID token in place of a logout token", clause: clause,
        meaning: mistaken, .warning, .conversation(.logout(.idToken, .backChannel))),
    ]
  }()

  /// Requests for logout in the address of a frame.
  static let frontChannelLogout: [AttackVariant] = [
    frame("other-issuer", "the page of another provider signs out", .otherIssuer),
    frame("other-session", "a request about another session signs out", .otherSubject),
  ]

  private static func frame(
    _ name: String, _ summary: String, _ flaw: AttackVariant.LogoutFlaw
  ) -> AttackVariant {
    AttackVariant(
      "front-channel-logout/" + name, summary,
      clause: "OpenID Connect Front-Channel Logout 1.0, 2",
      meaning: "any page can sign a person out",
      .note, .conversation(.logout(flaw, .frontChannel)))
  }
}
