extension VariantList {
  private static let anyone = "anyone can sign a person out"
  private static let again =
    "an attacker who sees a request for logout can sign that person out again"
  private static let tokens = "OpenID Connect Back-Channel Logout 1.0, 2.6"

  /// Requests for logout of SAML 2.0.
  static let samlLogout: [AttackVariant] = [
    saml("unsigned", "a request for logout that nothing signs", anyone, .warning, .unsigned),
    saml("other-key", "a request for logout that another key signs", anyone, .warning, .otherKey),
    saml(
      "other-issuer", "a request for logout in the name of another provider",
      "a provider can sign out the people of every other one", .warning, .otherIssuer),
    saml(
      "other-destination", "a request for logout that was sent somewhere else",
      "what another service was sent signs a person out", .note, .otherAudience,
      clause: "SAML Bindings 3.4.5.2"),
    saml(
      "other-subject", "a request for logout of another person",
      "a person is signed out with another one", .note, .otherSubject,
      clause: "SAML Profiles 4.4.3.3; SAML Core 3.7.3.2"),
    saml(
      "expired", "a request for logout whose time is over", again, .note, .expired,
      clause: "SAML Core 3.7.1"),
    saml(
      "replayed", "a request for logout that has ended a session before", again, .note, .replayed,
      clause: "SAML Core 3.7.1"),
    saml(
      "unsolicited-response", "an answer to a request for logout that was not made",
      "anyone who has an old answer can sign a person out", .warning, .unsolicitedResponse,
      clause: "SAML Core 3.2.2; SAML Profiles 4.4.4.2"),
  ]

  private static func saml(
    _ name: String, _ summary: String, _ meaning: String, _ severity: AttackVariant.Severity,
    _ flaw: AttackVariant.LogoutFlaw, clause: String = "SAML Profiles 4.4.4.1"
  ) -> AttackVariant {
    AttackVariant(
      "logout/" + name, summary, clause: clause, meaning: meaning, severity,
      .conversation(.logout(flaw, .browser)))
  }

  /// Logout tokens of OpenID Connect.
  static let backChannelLogout: [AttackVariant] = [
    token("unsigned", "a logout token that nothing signs", anyone, .warning, .unsigned),
    token("other-key", "a logout token that another key signs", anyone, .warning, .otherKey),
    token(
      "other-issuer", "a logout token in the name of another provider",
      "a provider can sign out the people of every other one", .warning, .otherIssuer),
    token(
      "other-audience", "a logout token for another client",
      "what another service was sent signs a person out", .warning, .otherAudience),
    token(
      "other-subject", "a logout token of another person",
      "a person is signed out with another one", .warning, .otherSubject),
    token("expired", "a logout token whose time is over", again, .note, .expired),
    token("nonce", "a logout token with a nonce, as ID tokens have", mistaken, .note, .nonce),
    token("no-events", "a logout token without events", mistaken, .warning, .withoutEvents),
    token("other-events", "a logout token of another event", mistaken, .warning, .otherEvents),
    token(
      "no-subject", "a logout token that names no person and no session",
      "people are signed out who were not named", .warning, .withoutSubject),
    token("id-token", "an ID token in place of a logout token", mistaken, .warning, .idToken),
    token("replayed", "a logout token that has ended a session before", again, .note, .replayed),
  ]

  private static let mistaken = "a token that is for something else signs a person out"

  private static func token(
    _ name: String, _ summary: String, _ meaning: String, _ severity: AttackVariant.Severity,
    _ flaw: AttackVariant.LogoutFlaw
  ) -> AttackVariant {
    AttackVariant(
      "logout/" + name, summary, clause: tokens, meaning: meaning, severity,
      .conversation(.logout(flaw, .backChannel)))
  }

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
