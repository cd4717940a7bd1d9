import GateService
import IdentityProviderTesting
import TestSupport
import Testing

/// What an e-mail address counts for that a bearer token has (OpenID Connect Core 1.0, 5.1).
@Suite("GATE-13: E-mail addresses of bearer tokens")
struct BearerMailTests {
  private static let mail = "ceo@corp.example"
  private static let verified = Claim("email_verified", "true")
  private static let unverified = Claim("email_verified", "false")
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator

  init() throws {
    idp = try IdentityProviderSimulator()
    other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
  }

  /// What a token says of Ada.
  private func draft(
    _ issuer: String, mail: String = Self.mail, _ more: [Claim] = []
  ) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: ["urn:api"], subject: "ada",
      claims: ClaimSet([Claim("email", mail)] + more), issuedAt: clock.now)
  }

  private func bearer(
    _ issuer: IdentityProviderSimulator, _ more: [Claim] = []
  ) throws -> (String, String) {
    let token = try JSONWebToken.mint(draft(issuer.entityID, more), key: issuer.key)
    return ("Authorization", "Bearer " + String(decoding: token, as: UTF8.self))
  }

  private func authenticator(_ issuers: [TrustedIssuer]) -> TokenAuthenticator {
    TokenAuthenticator(
      StaticRegistry(Trust(issuers: issuers, audiences: .oneOf(["urn:api"]))), clock: clock)
  }

  /// A gate with the address in a header, and `/ceo` for one address alone.
  private func gate(
    _ issuers: [TrustedIssuer], beside others: [IdentityProviderSimulator] = []
  ) throws -> Gate {
    Gate(
      site: try idp.site(beside: others, clock: clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        GateRule(path: try RequestTarget("/ceo"), claims: ["email"], values: [Self.mail])
      ]),
      headers: IdentityHeaders([HeaderRule(name: "X-Mail", claims: ["email"])]), people: .shared,
      tokens: authenticator(issuers))
  }

  private func check(
    _ gate: Gate, _ target: String, _ bearer: (String, String)
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields([
          ("X-Original-URI", target), ("X-Original-Method", "GET"), bearer,
        ])), from: "127.0.0.1")
  }

  @Test("One that a token calls unverified is no identity")
  func unverifiedBearer() async throws {
    let authenticator = authenticator([idp.trustedJWT])
    func mail(_ more: [Claim]) async throws -> [String] {
      let fields = try HTTPFields([bearer(idp, more)])
      return try #require(try await authenticator.principal(fields)).claims["email"]
    }
    #expect(try await mail([Self.unverified]).isEmpty)
    #expect(try await mail([Self.verified]) == [Self.mail])
    #expect(try await mail([]) == [Self.mail])
  }

  @Test(
    "Beside one provider an issuer of tokens is another one: its unverified address reaches no header"
  )
  func otherIssuer() async throws {
    let gate = try gate([idp.trustedJWT, other.trustedJWT])
    func mail(_ issuer: IdentityProviderSimulator, _ more: [Claim] = []) async throws -> String? {
      let response = try await check(gate, "/page", bearer(issuer, more))
      #expect(response.status == 200)
      return response.fields["X-Mail"]
    }
    #expect(try await mail(other) == "")
    #expect(try await mail(other, [Self.verified]) == Self.mail)
    #expect(try await mail(idp) == Self.mail)
  }

  @Test("One that a token does not call verified meets no rule")
  func unconfirmedBearer() async throws {
    let gate = try gate([idp.trustedJWT])
    let verified = try await check(gate, "/ceo", bearer(idp, [Self.verified]))
    #expect(verified.status == 200 && verified.fields["X-Mail"] == Self.mail)
    for more in [[], [Self.unverified]] {
      let response = try await check(gate, "/ceo", bearer(idp, more))
      #expect(response.status == 403 && response.isRefusal(.gateForbidden), "\(more.count)")
    }
    // With one provider the application is told of it all the same.
    #expect(try await check(gate, "/page", bearer(idp)).fields["X-Mail"] == Self.mail)
  }

  @Test("With two providers one that a token does not call verified is in no header")
  func unconfirmedOfTwo() async throws {
    for (others, mail) in [([], Self.mail), ([other], "")] {
      let gate = try gate([idp.trustedJWT], beside: others)
      let response = try await check(gate, "/page", bearer(idp))
      #expect(response.fields["X-Mail"] == mail, "beside \(others.count)")
    }
  }

  @Test("A Simple Web Token, which has no word for verified, meets a rule by its address")
  func simpleBearer() async throws {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 5, count: 32))
    let gate = try gate([TrustedIssuer("urn:swt", keys: [.secret(key)], formats: [.swt])])
    for (mail, status) in [(Self.mail, 200), ("ada@corp.example", 403)] {
      let token = try SimpleWebToken.mint(draft("urn:swt", mail: mail), key: key)
      let response = try await check(
        gate, "/ceo", ("Authorization", "Bearer " + String(decoding: token, as: UTF8.self)))
      #expect(response.status == status, "\(mail)")
    }
  }
}
