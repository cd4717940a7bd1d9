import AccessControl
import TestSupport
import Testing

/// What ends an authorization ends what came of it, at every use.
@Suite("Revocation, theft and sign-out at every use of a token")
struct DoorEndingTests {
  @Test("Before the end each use works, and after it none", arguments: DoorEnding.allCases)
  func ends(ending: DoorEnding) async throws {
    for use in DoorUse.allCases where ending.sources.contains(use.source) {
      var fixture = try DoorFixture(DoorWorld())
      fixture.isOffline = ending == .signOutOffline
      let issued = try await fixture.enter(use.source)
      let tokens = try #require(issued.tokens, "\(issued)")
      let next = try await onward(tokens, fixture)
      let ended = try await fixture.end(tokens, of: use.source, by: ending)
      let answer = try await fixture.use(use, ended)
      #expect((answer.tokens != nil) == ending.spares, "\(ending), \(use): \(answer)")
      // What was exchanged for it before has the same end.
      guard let next else { continue }
      let isActive = try await isActive(next, at: fixture)
      #expect(isActive == ending.spares, "\(ending), \(use.source): exchanged before")
    }
  }

  /// An access token of another party for a token; nil where the token is not one to exchange.
  private func onward(_ tokens: DoorTokens, _ fixture: DoorFixture) async throws -> String? {
    // The party exchanges no ID token of a client that registered itself.
    guard let idToken = tokens.idToken, tokens.stranger == nil else { return nil }
    let request = fixture.exchange(
      idToken, ExchangeFixture.type + "id_token", for: "access_token", at: "urn:next",
      DoorFixture.shop)
    let token = try await fixture.send(request).tokens?.token
    let found = try #require(token)
    #expect(try await isActive(found, at: fixture))
    return found
  }

  private func isActive(_ token: String, at fixture: DoorFixture) async throws -> Bool {
    let response = try await fixture.post(
      "/v2/openid/introspect", [("token", token)], client: DoorFixture.next)
    return response.text.contains("\"active\":true")
  }
}
