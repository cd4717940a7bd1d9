import Federation
import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension OpenIDEndpoint {
  /// The path of the token endpoint.
  static let tokenPath = "/v2/openid/token"

  /// The grants of the token endpoint (RFC 6749, 4; RFC 8693, 2.1; RFC 7522, 2.1; RFC 7523, 2.1).
  enum GrantType: String, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    case samlBearer = "urn:ietf:params:oauth:grant-type:saml2-bearer"
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  }

  /// `/v2/openid/token`.
  func giveToken(_ request: WebRequest) async -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try form(request)
      switch form["grant_type"] {
      case GrantType.samlBearer.rawValue: return try await redeemAssertion(.saml20, form, request)
      case GrantType.jwtBearer.rawValue: return try await redeemAssertion(.jwt, form, request)
      default: break
      }
      let client = try await client(form, request)
      switch try grantType(form) {
      case .tokenExchange:
        return try await TokenExchange(service: service, client: client).answer(form)
      case .clientCredentials: return try await programToken(form, client)
      case .refreshToken: return try await refresh(form, client)
      default: return try await redeem(form, client)
      }
    } catch {
      return service.refusal(error)
    }
  }

  /// The form of a program. A parameter without a value is none (RFC 6749, 3.2).
  func form(_ request: WebRequest) throws(OAuthFault) -> FormReader {
    try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
      try service.form(request).withoutEmptyValues
    }
  }

  private func grantType(_ form: FormReader) throws(OAuthFault) -> GrantType {
    let name = try OAuthFault.now(.invalidRequest) { () throws(TokenError) -> String in
      try form.require("grant_type")
    }
    guard let type = GrantType.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      throw OAuthFault(
        .unsupportedGrantType,
        TokenError(
          .issuingGrantType,
          expected: GrantType.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    return type
  }

  private func client(
    _ form: FormReader, _ request: WebRequest
  ) async throws(OAuthFault) -> TokenClient {
    try await OAuthFault.named(.invalidClient) { () async throws(TokenError) in
      try await service.client(form, request)
    }
  }

  // MARK: Programs

  /// An access token for a service identity about itself (RFC 6749, 4.4).
  private func programToken(
    _ form: FormReader, _ client: TokenClient
  ) async throws(OAuthFault) -> HTTPResponse {
    guard let identity = client.identity else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.issuingClient, expected: "a service identity"))
    }
    return try await accessToken(for: identity, form, by: .openID)
  }

  /// An access token for a service identity: with the claims that the rules of the relying party give it, and with scopes
  /// where the relying party names it.
  private func accessToken(
    for identity: ServiceIdentity, _ form: FormReader, by entrance: PartyProtocol
  ) async throws(OAuthFault) -> HTTPResponse {
    let target = try ExchangeTarget(form)
    let party = try OAuthFault.now(.invalidTarget) { () throws(TokenError) -> RelyingParty in
      let party = try service.namespace.relyingParty(target.resource ?? target.audience ?? "")
      guard target.audience.map({ party.realm.hasSameBytes(as: $0) }) ?? true else {
        throw TokenError(.exchangeTarget, node: "audience", expected: "the realm of the resource")
      }
      return party
    }
    let scopes = try OAuthFault.now(.invalidScope) { () throws(TokenError) -> [String] in
      let scopes = try OAuthScope.read(form["scope"])
      let isNamed = party.exchange.clients.containsBytes(of: identity.name)
      try OAuthScope.check(scopes, areIn: isNamed ? party.exchange.scopes : [])
      return scopes
    }
    let issued = try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> MintedToken in
      let namespace = service.namespace
      var wanted = WantedToken(
        namespace.subject(of: identity),
        until: service.clock.now.advanced(bySeconds: AccessToken.longestLifetime))
      wanted.realm = party.realm
      wanted.scopes = scopes
      wanted.steps = [IssuedStep(entrance: entrance, client: identity.name, realm: party.realm)]
      let issued = try service.issue(
        wanted, .accessToken, to: party, TokenClient(identity), by: entrance)
      try await service.grants.remember(wanted, of: issued, as: .accessToken, namespace)
      return issued
    }
    service.note(party.realm, identity.name, "access token")
    return service.answer(accessToken: issued, scopes: scopes)
  }

  // MARK: Assertions

  /// An assertion about a person, for an authenticated client; or of a service identity about itself.
  private func redeemAssertion(
    _ kind: PresentedToken.Kind, _ form: FormReader, _ request: WebRequest
  ) async throws(OAuthFault) -> HTTPResponse {
    let octets = try OAuthFault.now(.invalidGrant) { () throws(TokenError) -> [UInt8] in
      let type: ExchangedType = kind == .saml20 ? .saml20 : .jwt
      return try type.octets(of: form.require("assertion"))
    }
    if let issuer = Self.issuer(of: octets, kind),
      service.namespace.identities.contains(where: { $0.name.hasSameBytes(as: issuer) })
    {
      // RFC 7522, 3.1 and RFC 7523, 3.1: credentials that stand beside it are right.
      if !request.fields.values("Authorization").isEmpty || form["client_secret"] != nil {
        _ = try await client(form, request)
      }
      return try await redeemAssertion(ofProgram: octets, form, request)
    }
    let kind =
      kind == .jwt && Self.isIdentityAssertionGrant(octets) ? .identityAssertionGrant : kind
    return try await AssertionGrant(
      service: service, client: try await client(form, request)
    )
    .answer(octets, as: kind, form)
  }

  private func redeemAssertion(
    ofProgram octets: [UInt8], _ form: FormReader, _ request: WebRequest
  ) async throws(OAuthFault) -> HTTPResponse {
    var place = ACSRefusal.Place.request
    let identity: ServiceIdentity
    do throws(TokenError) {
      identity = try await service.identity(
        assertedBy: octets, form["grant_type"] ?? "", request, at: &place)
    } catch {
      throw OAuthFault(.invalidGrant, error, at: place)
    }
    return try await accessToken(for: identity, form, by: .assertionGrants)
  }

  /// Who issued an assertion, without any proof; nil where that cannot be read.
  private static func issuer(of octets: [UInt8], _ kind: PresentedToken.Kind) -> String? {
    kind == .saml20
      ? (try? SAMLToken(parsing: octets))?.unverifiedFacts.issuer
      : (try? JSONWebToken(parsing: octets))?.unverifiedFacts.issuer
  }

  /// Whether a token says that it is a grant of another authorization server.
  private static func isIdentityAssertionGrant(_ octets: [UInt8]) -> Bool {
    (try? JSONWebToken(parsing: octets, for: .identityAssertionGrant)) != nil
  }
}
