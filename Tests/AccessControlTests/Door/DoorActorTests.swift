import AccessControl
import TestSupport
import Testing

/// A token that names an actor ends with the token that showed who acts, as it ends with that of its subject.
@Suite("The end of the actor's token ends the token that names the actor")
struct DoorActorTests {
  private static func world() throws -> DoorWorld {
    var world = try DoorWorld()
    world.party.exchange.actingClients.append("chat")
    return world
  }

  /// A sign-in of its own browser at the client `chat`.
  private func signIn(_ fixture: DoorFixture) async throws -> DoorTokens {
    let answer = try await fixture.openID(
      .openID,
      [
        ("response_type", "code"), ("client_id", "chat"),
        ("redirect_uri", "https://chat.example/callback"), ("scope", "openid"),
        ("code_challenge", OAuthFixture.challenge), ("code_challenge_method", "S256"),
      ], DoorFixture.chat, "https://chat.example/callback", { _ in })
    return try #require(answer.tokens, "\(answer)")
  }

  /// An access token of the party about one person, which names another one as the actor.
  private func acting(
    _ subject: DoorTokens, by actor: String, _ fixture: DoorFixture, _ type: String = "id_token"
  ) async throws -> DoorAnswer {
    var request = fixture.exchange(
      subject.idToken ?? "", ExchangeFixture.type + "id_token", for: "access_token",
      at: DoorWorld.realm, DoorFixture.chat)
    request.fields += [
      ("actor_token", actor), ("actor_token_type", ExchangeFixture.type + type),
    ]
    return try await fixture.send(request)
  }

  /// Whether a token is active, and is exchanged onward: both or neither.
  private func counts(_ token: String, _ fixture: DoorFixture) async throws -> Bool {
    let tokens = DoorTokens(token: token, type: ExchangeFixture.type + "access_token")
    let isActive = try await fixture.use(.introspectExchanged, tokens).tokens != nil
    let isExchanged = try await fixture.use(.onwardExchanged, tokens).tokens != nil
    #expect(isActive == isExchanged)
    return isActive
  }

  @Test(
    "Revoked, stolen or signed out: the token is over, and one of another actor goes on",
    arguments: [DoorEnding.revokedRefresh, .refreshTwice, .codeTwice, .signOut])
  func ends(ending: DoorEnding) async throws {
    let fixture = try DoorFixture(Self.world())
    let (subject, actor, other) = try await (signIn(fixture), signIn(fixture), signIn(fixture))
    let token = try #require(
      try await acting(subject, by: actor.idToken ?? "", fixture).tokens?.token)
    let twin = try #require(
      try await acting(subject, by: other.idToken ?? "", fixture).tokens?.token)
    let next = try #require(
      try await fixture.use(
        .onwardExchanged, DoorTokens(token: token, type: ExchangeFixture.type + "access_token")
      ).tokens?.token)
    #expect(try await counts(token, fixture))
    // The actor is a person of chat, as the tokens by `resource` are.
    _ = try await fixture.end(actor, of: .resource, by: ending)
    #expect(try await !counts(token, fixture))
    #expect(try await counts(twin, fixture))
    let known = try await fixture.post(
      "/v2/openid/introspect", [("token", next)], client: DoorFixture.next)
    #expect(known.text == "{\"active\":false}")
    let again = try await acting(subject, by: actor.idToken ?? "", fixture)
    #expect(again.tokens == nil)
  }

  @Test(
    "The actor's provider is taken out of the file or not offered, or the actor's client is gone: the token counts no more, and again when it is put back"
  )
  func restrictions() async throws {
    let world = try Self.world()
    let fixture = try DoorFixture(world)
    let subject = try await signIn(fixture)
    let foreign = try fixture.upstream.token(for: "chat", subject: "bot")
    let byForeign = try #require(
      try await acting(subject, by: foreign, fixture, "jwt").tokens?.token)
    var request = DoorRequest(
      fields: [("grant_type", "client_credentials"), ("resource", DoorWorld.realm)],
      client: DoorFixture.game)
    let program = try #require(try await fixture.send(request).tokens?.token)
    // The party itself exchanges, with its own token of the service identity as the actor's.
    var own = world
    own.party.exchange.clients.append(DoorWorld.realm)
    own.party.exchange.actingClients.append(DoorWorld.realm)
    try fixture.reload(own)
    request = fixture.exchange(
      byForeign, ExchangeFixture.type + "access_token", for: "access_token", at: DoorWorld.realm,
      DoorFixture.shop)
    request.fields += [
      ("actor_token", program), ("actor_token_type", ExchangeFixture.type + "access_token"),
    ]
    let byProgram = try #require(try await fixture.send(request).tokens?.token)
    let restrictions: [(inout DoorWorld) -> Void] = [
      { $0.providers.removeAll { $0.id == "op" } }, { $0.party.providers = ["campus", "test"] },
    ]
    for restriction in restrictions {
      var restricted = own
      restriction(&restricted)
      try fixture.reload(restricted)
      #expect(try await !counts(byForeign, fixture))
      #expect(try await !counts(byProgram, fixture))
      try fixture.reload(own)
      #expect(try await counts(byForeign, fixture))
      #expect(try await counts(byProgram, fixture))
    }
    var without = own
    without.hasProgram = false
    try fixture.reload(without)
    #expect(try await !counts(byProgram, fixture))
    #expect(try await counts(byForeign, fixture))
  }
}
