import AccessControl
import Claims
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The ways of programs: one request each.
extension DoorFixture {
  private static let endpoint = "https://acs.example/v2/openid/token"

  /// Goes through an entrance; `change` is told each step at which the file may change.
  func enter(_ entrance: DoorEntrance, _ change: Change = { _ in }) async throws -> DoorAnswer {
    guard entrance.moments.count == 1 else {
      return try await enter(inBrowser: entrance, change)
    }
    // A client that exchanges its own ID token has it before the file changes.
    if entrance == .exchangeOwn { return try await exchangeOwn(change) }
    try change(.before)
    switch entrance {
    case .wrap, .wrapAssertion: return try await wrap(entrance)
    case .trust: return try await trust()
    case .draft13Program, .draft13Assertion, .credentials, .programJWT:
      return try await send(try program(entrance))
    default: return try await send(try person(entrance))
    }
  }

  // MARK: Service identities about themselves

  private func wrap(_ entrance: DoorEntrance) async throws -> DoorAnswer {
    let proof =
      entrance == .wrap
      ? [("wrap_name", Self.game.id), ("wrap_password", Self.game.secret)]
      : [("wrap_assertion_format", "SWT"), ("wrap_assertion", try simpleAssertion())]
    let response = try await post(
      "/WRAPv0.9", proof + [("wrap_scope", DoorWorld.realm)])
    return try Self.read(response) { response in
      try FormReader(response.body)["wrap_access_token"].map {
        DoorTokens(token: $0, type: ExchangeFixture.swt)
      }
    }
  }

  /// An assertion of the service identity about itself, a Simple Web Token.
  private func simpleAssertion() throws -> String {
    let pairs = "Issuer=game&ExpiresOn=\(upstream.clock.now.seconds + 300)"
    let key = try SymmetricKey(bytes: DoorWorld.programKey)
    let mac = key.authenticate(pairs.utf8.span, with: .sha256) ?? []
    return pairs + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac))
  }

  private func trust() async throws -> DoorAnswer {
    let body = WSTrustTests.request().replacing("uploader", with: Self.game.id)
      .replacing("pass word", with: Self.game.secret)
      .replacing("uri:talks.example.org", with: DoorWorld.realm)
    var request = WebRequest(
      method: "POST", path: "/v2/wstrust/13/username", body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/soap+xml; charset=utf-8")
    let response = await upstream.site.respond(to: request)
    // SOAP 1.1 says 500 of every fault: what the sender did wrong is in the code.
    return try Self.read(response) { response in
      Self.assertion(in: response.text).map {
        DoorTokens(token: $0, type: ExchangeFixture.type + "saml2")
      } ?? (response.text.contains("EncryptedAssertion") ? DoorTokens() : nil)
    }
  }

  private func program(_ entrance: DoorEntrance) throws -> DoorRequest {
    let own = [("client_id", Self.game.id), ("client_secret", Self.game.secret)]
    switch entrance {
    case .draft13Program:
      return DoorRequest(
        path: "/v2/OAuth2-13",
        fields: own + [("grant_type", "client_credentials"), ("scope", DoorWorld.realm)])
    case .draft13Assertion:
      return DoorRequest(
        path: "/v2/OAuth2-13",
        fields: [
          ("grant_type", "http://oauth.net/grant_type/swt/1.0/bearer"),
          ("assertion", try simpleAssertion()), ("scope", DoorWorld.realm),
        ])
    case .credentials:
      return DoorRequest(
        fields: [("grant_type", "client_credentials"), ("resource", DoorWorld.realm)],
        client: Self.game)
    default:
      let draft = TokenDraft(
        issuer: "game", audiences: [ExchangeFixture.issuer], subject: "game", claims: ClaimSet([]),
        issuedAt: upstream.clock.now, lifetime: 300)
      let token = try JSONWebToken.mint(draft, key: SymmetricKey(bytes: DoorWorld.programKey))
      return DoorRequest(
        fields: [
          ("grant_type", ExchangeFixture.grant + "jwt-bearer"),
          ("assertion", String(decoding: token, as: UTF8.self)), ("resource", DoorWorld.realm),
        ])
    }
  }

  // MARK: Tokens and assertions of providers

  private func person(_ entrance: DoorEntrance) throws -> DoorRequest {
    switch entrance {
    case .exchange: return try exchange("saml2")
    case .exchangeID: return try exchange("id_token")
    case .exchangeActor:
      var request = try exchange("jwt")
      request.fields += [
        ("actor_token", try upstream.token(for: "game", subject: "bot")),
        ("actor_token_type", ExchangeFixture.type + "jwt"),
      ]
      return request
    case .grantOut:
      var request = try exchange("id-jag")
      request.fields.removeAll { $0.0 == "audience" }
      request.fields += Self.grantFields
      return request
    case .samlBearer:
      return bearer(
        "saml2-bearer",
        try upstream.assertion(for: Self.endpoint, recipient: Self.endpoint), scope: "read")
    case .jwtBearer:
      return bearer(
        "jwt-bearer", try upstream.token(for: ExchangeFixture.issuer), scope: "read")
    default:
      let grant = try upstream.token(
        for: ExchangeFixture.issuer, [Claim("client_id", "game"), Claim("scope", "read")],
        type: "oauth-id-jag+jwt")
      return bearer("jwt-bearer", grant, scope: nil)
    }
  }

  /// What a grant for the authorization server is asked for with.
  static let grantFields = [
    ("audience", DoorWorld.server), ("scope", "orders"),
    ("resource", "https://api.as.example/mcp"),
  ]

  /// An exchange of an assertion that the service identity got.
  private func exchange(_ type: String) throws -> DoorRequest {
    let assertion = try upstream.assertion(
      for: "https://agent.example/saml", recipient: "https://agent.example/acs")
    return exchange(
      assertion, ExchangeFixture.type + "saml2", for: type, at: DoorWorld.realm, Self.game)
  }

  func exchange(
    _ token: String, _ type: String, for wanted: String, at audience: String,
    _ client: (id: String, secret: String)
  ) -> DoorRequest {
    DoorRequest(
      fields: [
        ("grant_type", ExchangeFixture.grant + "token-exchange"), ("subject_token", token),
        ("subject_token_type", type), ("audience", audience),
        ("requested_token_type", ExchangeFixture.type + wanted),
      ], client: client)
  }

  private func bearer(_ grant: String, _ assertion: String, scope: String?) -> DoorRequest {
    DoorRequest(
      fields: [
        ("grant_type", ExchangeFixture.grant + grant), ("assertion", assertion),
        ("resource", DoorWorld.realm),
      ] + (scope.map { [("scope", $0)] } ?? []), client: Self.game)
  }

  private func exchangeOwn(_ change: Change) async throws -> DoorAnswer {
    let signedIn = try await openID(
      .openID,
      [
        ("response_type", "code"), ("client_id", "chat"),
        ("redirect_uri", "https://chat.example/callback"), ("scope", "openid"),
        ("code_challenge", OAuthFixture.challenge), ("code_challenge_method", "S256"),
      ], Self.chat, "https://chat.example/callback", { _ in })
    guard let idToken = signedIn.tokens?.idToken else { return .broken("\(signedIn)") }
    try change(.before)
    var request = exchange(
      idToken, ExchangeFixture.type + "id_token", for: "access_token", at: DoorWorld.realm,
      Self.chat)
    request.fields.append(("scope", "read"))
    return try await send(request)
  }

  // MARK: Afterwards

  /// Uses a token that was issued at the entrance of the use.
  func use(_ use: DoorUse, _ tokens: DoorTokens) async throws -> DoorAnswer {
    switch use {
    case .refreshOpenID, .refreshResource:
      return try await send(
        DoorRequest(
          fields: [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh ?? "")],
          client: use == .refreshOpenID ? Self.shop : Self.chat))
    case .refreshDraft13:
      return try await send(
        DoorRequest(
          path: "/v2/OAuth2-13",
          fields: [
            ("grant_type", "refresh_token"), ("refresh_token", tokens.refresh ?? ""),
            ("client_id", Self.game.id), ("client_secret", Self.game.secret),
            ("scope", DoorWorld.realm),
          ]))
    case .refreshRegistered:
      return try await send(
        DoorRequest(fields: [
          ("grant_type", "refresh_token"), ("refresh_token", tokens.refresh ?? ""),
          ("client_id", tokens.stranger ?? ""),
        ]))
    case .userInfo, .userInfoRegistered:
      let response = try await get("/v2/openid/userinfo", bearer: tokens.token)
      return try Self.read(response) { _ in DoorTokens() }
    case .introspectOpaque, .introspectResource, .introspectExchanged, .introspectGranted,
      .introspectProgram, .introspectRegistered:
      let response = try await post(
        "/v2/openid/introspect", [("token", tokens.token)], client: Self.shop)
      if response.text.contains("\"active\":false") { return .refused("not active") }
      return try Self.read(response) { _ in DoorTokens() }
    case .onwardID, .onwardGrant:
      let type = ExchangeFixture.type + "id_token"
      let token = tokens.idToken ?? ""
      guard use == .onwardGrant else {
        return try await send(
          exchange(token, type, for: "access_token", at: "urn:next", Self.shop))
      }
      var request = exchange(token, type, for: "id-jag", at: "", Self.shop)
      request.fields.removeAll { $0.0 == "audience" }
      request.fields += Self.grantFields
      return try await send(request)
    default:
      return try await send(
        exchange(tokens.token, tokens.type, for: "access_token", at: "urn:next", Self.shop))
    }
  }
}
