import Octets
import SingleSignOn

extension SignInSite {
  /// `POST saml/acs`: the answer of a SAML identity provider.
  func finishSAML(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    if let artifact = try SAMLArtifact(request) {
      return try await finishArtifact(artifact, request)
    }
    let answer = try SAMLAnswer(request)
    if !answer.namesRequest, let response = try await finishUnsolicited(answer, request) {
      return response
    }
    let named = try answer.request
    return try await answering(named, request) { () async throws(TokenError) in
      let pending = try pending(named, .saml2, request)
      let (provider, service, source) = try samlProvider(pending)
      let identityProvider = try await source.provider(at: clock.now)
      let principal = try await service.finish(
        answer, pending, from: identityProvider, trust: try await trust(provider), used: used,
        at: clock.now)
      return try await signIn(principal, provider, pending, request)
    }
  }

  /// An artifact at `saml/acs`, by GET or POST.
  private func finishArtifact(
    _ artifact: SAMLArtifact, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    let named = try artifact.request
    return try await answering(named, request) { () async throws(TokenError) in
      let pending = try pending(named, .saml2, request)
      let (provider, service, source) = try samlProvider(pending)
      let identityProvider = try await source.provider(at: clock.now)
      let trust = try await trust(provider)
      let answer = try await service.resolve(
        artifact, pending, from: identityProvider, trust: trust, used: used, at: clock.now)
      let principal = try await service.finish(
        answer, pending, from: identityProvider, trust: trust, used: used, at: clock.now)
      return try await signIn(principal, provider, pending, request)
    }
  }

  /// The SAML 2.0 provider that a pending sign-in asked.
  private func samlProvider(
    _ pending: PendingSignIn
  ) throws(TokenError) -> (SignInProvider, ServiceProvider, ProviderSource<IdentityProvider>) {
    guard let provider = provider(pending.provider),
      case .saml(let service, let source) = provider.exchange
    else { throw TokenError(.signInProvider, found: TokenError.excerpt(pending.provider)) }
    return (provider, service, source)
  }

  /// An answer without a request, where its provider may begin; nil where it may not.
  private func finishUnsolicited(
    _ answer: SAMLAnswer, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse? {
    let accepting = providers.filter(\.acceptsUnsolicited)
    let issuer = answer.unverifiedIssuer
    for provider in accepting {
      // An encrypted assertion in a message without an issuer is of the only one that may begin.
      guard case .saml(let service, let source) = provider.exchange,
        source.entityID.hasSameBytes(as: issuer) || (issuer.isEmpty && accepting.count == 1)
      else { continue }
      let identityProvider = try await source.provider(at: clock.now)
      let principal = try await service.finishUnsolicited(
        answer, from: identityProvider, named: provider.id, trust: try await trust(provider),
        used: used, at: clock.now)
      observer.happened(Activity("signin.unsolicited", [("source", provider.id)]))
      return try await signIn(principal, provider, nil, request)
    }
    return nil
  }

  /// `wsfed`: the answer of a WS-Federation issuer, or its sign-out.
  func receivePassive(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let party = providers.lazy.compactMap { provider -> PassiveRelyingParty? in
      if case .wsFederation(let party, _) = provider.exchange { party } else { nil }
    }.first
    guard let party else { throw TokenError(.signInProvider) }
    switch try party.receive(request) {
    case .signOutCleanup(let reply):
      // Of this browser alone, whoever asks (GATE-29).
      let cookies = try await endSession(request)
      if let reply, await isPassiveIssuer(reply.origin) {
        return redirect(reply.text, cookies: cookies)
      }
      return response(200, "image/gif", Self.picture, cookies: cookies)
    case .token(let token):
      let named = try token.request
      return try await answering(named, request) { () async throws(TokenError) in
        let pending = try pending(named, .wsFederation, request)
        guard let provider = provider(pending.provider),
          case .wsFederation(let party, _) = provider.exchange
        else { throw TokenError(.signInProvider, found: TokenError.excerpt(pending.provider)) }
        let principal = try await party.finish(
          token, pending, trust: try await trust(provider), used: used, at: clock.now)
        return try await signIn(principal, provider, pending, request)
      }
    }
  }

  /// Whether a WS-Federation issuer is at that origin: the only ones to which sign-out returns (WSF-11).
  private func isPassiveIssuer(_ origin: HTTPOrigin) async -> Bool {
    for provider in providers {
      guard case .wsFederation(_, let source) = provider.exchange,
        let issuer = try? await source.provider(at: clock.now)
      else { continue }
      if issuer.endpoint.origin == origin { return true }
    }
    return false
  }

  /// `GET saml/metadata`.
  func metadata() throws(TokenError) -> HTTPResponse {
    for provider in providers {
      guard case .saml(let service, _) = provider.exchange else { continue }
      var metadata = service.metadata()
      if settings.discovery != nil {
        metadata.discoveryResponse = try settings.address("sign-in").text
      }
      let document = try metadata.document(signedWith: service.signingKeys.first)
      return response(200, "application/samlmetadata+xml", document)
    }
    throw TokenError(.signInProvider)
  }

  /// `GET wsfed/metadata`.
  func passiveMetadata() throws(TokenError) -> HTTPResponse {
    for provider in providers {
      guard case .wsFederation(let party, _) = provider.exchange else { continue }
      return response(200, "application/samlmetadata+xml", try party.metadata.document())
    }
    throw TokenError(.signInProvider)
  }

  /// One transparent pixel: the request comes from an image element.
  private static let picture: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
  ]
}
