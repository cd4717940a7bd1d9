import JSONWebTokens
import LocalFiles
import SAML
import SignIn
import TokenBasics

/// A request for logout, on its way.
enum LogoutMessage: Sendable {
  /// Through the browser of the person.
  case browser(ProviderAnswer)
  /// From the provider to the service.
  case direct([(name: String, value: String)], HTTPURL)
}

extension RogueProvider {
  /// A request that the service end a person's session.
  ///
  /// - Parameters:
  ///   - flaw: What is wrong with it; nil for an honest one.
  ///   - plan: The person and the session.
  ///   - audience: The name of the service.
  /// - Returns: Nil where the file has no address for it.
  /// - Throws: `policy.mint-*`.
  func logoutMessage(
    _ flaw: AttackVariant.LogoutFlaw?, _ channel: AttackVariant.LogoutChannel, of plan: AnswerPlan,
    to audience: String, at now: Instant
  ) throws(TokenError) -> LogoutMessage? {
    switch channel {
    case .browser:
      guard let address = configuration.logout else { return nil }
      return .browser(try samlLogout(flaw, of: plan, to: address, at: now))
    case .backChannel:
      guard let address = configuration.logout else { return nil }
      let token = try logoutToken(flaw, of: plan, to: audience, at: now)
      return .direct(
        [(name: "logout_token", value: String(decoding: token, as: UTF8.self))], address)
    case .frontChannel:
      guard let address = configuration.frontChannelLogout else { return nil }
      let session = flaw == .otherSubject ? Self.otherSession : plan.session
      let issuer = flaw == .otherIssuer ? configuration.another : configuration.issuer
      return .browser(.get(address.adding([("iss", issuer), ("sid", session)])))
    }
  }

  /// The name of a session that no answer names.
  private static let otherSession = "another"

  // MARK: SAML

  /// SAML Profiles 4.4, in the query of an address.
  private func samlLogout(
    _ flaw: AttackVariant.LogoutFlaw?, of plan: AnswerPlan, to address: HTTPURL, at now: Instant
  ) throws(TokenError) -> ProviderAnswer {
    let issued = flaw == .expired ? now.advanced(bySeconds: -7_200) : now
    let header = MessageHeader(
      id: TokenDraft.unpredictableID(),
      issuer: flaw == .otherIssuer ? configuration.another : configuration.issuer,
      issuedAt: issued,
      destination: flaw == .otherAudience ? configuration.address("/elsewhere") : address.text)
    let isResponse = flaw == .unsolicitedResponse
    let message: OutgoingMessage =
      isResponse
      ? .logoutResponse(header, inResponseTo: TokenDraft.unpredictableID(), outcome: .done)
      : .logoutRequest(
        header, name: SubjectName(flaw == .otherSubject ? configuration.attacker : plan.subject),
        sessionIndex: flaw == .otherSubject ? Self.otherSession : plan.session,
        notOnOrAfter: issued.advanced(bySeconds: 300))
    let key: SigningKey? =
      switch flaw {
      case .unsigned: nil
      case .otherKey: try keys.signing(.other)
      default: try keys.signing(.own)
      }
    return .get(
      try RedirectBinding.address(
        address, isResponse ? "SAMLResponse" : "SAMLRequest", message.octets(signedWith: nil),
        relayState: nil, key: key))
  }

  // MARK: OpenID Connect

  private static let event = "http://schemas.openid.net/event/backchannel-logout"

  /// A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4).
  private func logoutToken(
    _ flaw: AttackVariant.LogoutFlaw?, of plan: AnswerPlan, to audience: String, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let issued = flaw == .expired ? now.advanced(bySeconds: -7_200) : now
    let person = flaw == .otherSubject ? configuration.attacker : plan.subject
    var draft = TokenDraft(
      issuer: flaw == .otherIssuer ? configuration.another : configuration.issuer,
      audiences: [flaw == .otherAudience ? "another" : audience],
      subject: flaw == .withoutSubject ? nil : person, issuedAt: issued, lifetime: 120)
    var claims: [Claim] = []
    if flaw != .withoutSubject {
      claims.append(
        Claim(ClaimType("sid"), flaw == .otherSubject ? Self.otherSession : plan.session))
    }
    let event = flaw == .otherEvents ? "urn:example:another-event" : Self.event
    if flaw != .withoutEvents, flaw != .idToken {
      claims.append(
        Claim(ClaimType("events"), "{\"\(event)\":{}}", valueType: Claim.jsonType))
    }
    if flaw == .nonce || flaw == .idToken { claims.append(Claim(ClaimType("nonce"), "a-nonce")) }
    draft.claims = ClaimSet(claims)
    let key = flaw == .otherKey ? ProviderKey.other : .own
    let type = flaw == .idToken ? "JWT" : "logout+jwt"
    let token = try JSONWebToken.mint(
      draft, key: keys.signing(key), keyID: Self.keyID, type: type)
    guard flaw == .unsigned else { return token }
    var header = TokenHeader()
    header.signature = .none
    return try rewritten(token, header, key, type: type)
  }
}
