import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: refresh tokens")
struct RefreshTests {
  private let fixture: OpenIDFixture
  private let party: OpenIDRelyingParty

  init() throws {
    fixture = try OpenIDFixture()
    party = try fixture.party()
  }

  private func refresh(
    _ token: Secret = Secret("refresh-1"), of principal: FederatedPrincipal? = nil,
    _ change: @Sendable (inout ScriptedProvider.State) -> Void = { _ in }
  ) async throws -> OpenIDTokens {
    let signIn = try await fixture.signIn(party)
    fixture.provider.change(change)
    return try await party.refresh(token, of: principal ?? signIn.principal, at: fixture.time.now)
  }

  @Test("A refresh token gives new tokens; one without a successor stays")
  func refreshes() async throws {
    let tokens = try await refresh()
    #expect(tokens.accessToken?.revealed == "access-2" && tokens.accessTokenEnd == nil)
    #expect(tokens.refreshToken.revealed == "refresh-2" && tokens.idToken != nil)
    let again = try await refresh(tokens.refreshToken) {
      $0.answer = {
        $0["refresh_token"] = nil
        $0["id_token"] = nil
        $0["expires_in"] = "60"
      }
    }
    #expect(again.refreshToken.revealed == "refresh-2" && again.idToken == nil)
    #expect(again.accessTokenEnd == fixture.time.now.advanced(bySeconds: 60))
  }

  @Test("A used refresh token is refused by the provider, and its reason is shown")
  func used() async throws {
    _ = try await refresh()
    let error = await #expect(throws: TokenError.self) { try await refresh() }
    #expect(error?.code == .signInRefused && error?.found?.hasPrefix("\"invalid_grant\"") == true)
    #expect(error?.found?.contains("refresh-1") == false)
  }

  @Test(
    "A new ID token about another subject, audience or access token is refused; the right one is not"
  )
  func otherSubject() async throws {
    let cases: [(String, String, TokenError.Code?)] = [
      ("sub", "\"mallory\"", .signInIDToken), ("aud", "\"other\"", .audienceMismatch),
      ("azp", "\"other\"", .audienceMismatch), ("at_hash", "\"x\"", .signInIDToken),
      ("iss", "\"https://evil.example/\"", .issuerUntrusted),
      ("sub", "\"alice\"", nil),
    ]
    for (name, value, expected) in cases {
      let fixture = try OpenIDFixture()
      let party = try fixture.party()
      let signIn = try await fixture.signIn(party)
      fixture.provider.change { $0.payload = { $0[name] = value } }
      let code = await refusalCode {
        _ = try await party.refresh(
          Secret("refresh-1"), of: signIn.principal, at: fixture.time.now)
      }
      #expect(code == expected)
    }
  }

  @Test("RP-11: A refresh token is not sent to another provider than the principal's")
  func otherProvider() async throws {
    let other = try OpenIDFixture(issuer: "https://other.example/tenant")
    let principal = try await other.signIn(other.party()).principal
    let code = await refusalCode { _ = try await refresh(of: principal) }
    #expect(code == .signInOtherIssuer)
    let sent = fixture.transport.requests.filter { $0.parameter("grant_type") == "refresh_token" }
    #expect(sent.isEmpty)
  }
}
