import Federation
import Foundation
import IdentityProviderTesting
import SingleSignOn
import TestSupport
import Testing

@Suite("Sign-in by WS-Federation")
struct PassiveSignInTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator
  private let issuer: PassiveIssuer
  private let party: PassiveRelyingParty
  private let trust: Trust
  private let used = MemoryReplayStore()

  init() throws {
    idp = try IdentityProviderSimulator("urn:adfs")
    other = try IdentityProviderSimulator("urn:other", key: "other-rsa")
    issuer = PassiveIssuer(
      entityID: "urn:adfs", endpoint: try HTTPURL("https://adfs.example/adfs/ls/"))
    party = try PassiveRelyingParty(
      realm: "urn:app", reply: HTTPURL("https://app.example/.gate/wsfed"))
    trust = Trust(
      issuers: [idp, other].map {
        TrustedIssuer(
          $0.entityID, keys: [.certificate($0.certificate)], formats: [.saml11, .saml20])
      }, audiences: .any)
  }

  private func message(
    _ context: String?, by simulator: IdentityProviderSimulator? = nil,
    audience: String = "urn:app", version: SAMLToken.Version = .v1
  ) throws -> WebRequest {
    let simulator = simulator ?? idp
    var draft = TokenDraft(issuer: simulator.entityID, audiences: [audience], issuedAt: now)
    draft.subject = "ada"
    draft.claims = ClaimSet([Claim(.role, "admin")])
    let wresult = try SAMLIssuer(version, key: simulator.key).tokenResponse(draft)
    return IdentityProviderSimulator.form(
      [("wa", "wsignin1.0"), ("wresult", String(decoding: wresult, as: UTF8.self))]
        + (context.map { [("wctx", $0)] } ?? []))
  }

  private func finish(
    _ message: WebRequest, _ begun: BegunSignIn
  ) async throws -> FederatedPrincipal {
    guard case .token(let token) = try party.receive(message) else {
      throw CocoaError(.featureUnsupported)
    }
    return try await party.finish(token, begun.pending, trust: trust, used: used, at: now)
  }

  private func code(_ body: () async throws -> Void) async -> TokenError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? TokenError)?.code }
  }

  @Test("A posted token signs in once", arguments: [SAMLToken.Version.v1, .v2])
  func signsIn(version: SAMLToken.Version) async throws {
    let begun = party.begin(at: issuer, returningTo: try ReturnPath("/page"), at: now)
    #expect(
      begun.action.address.text.hasPrefix(
        "https://adfs.example/adfs/ls/?wa=wsignin1.0&wtrealm=urn%3Aapp&wreply="))
    #expect(!begun.action.address.text.contains("page"))
    let message = try message(begun.pending.request, version: version)
    let principal = try await finish(message, begun)
    #expect(principal.subject == "ada" && principal.claims[.role] == ["admin"])
    #expect(await code { _ = try await finish(message, begun) } == .signInFinished)
  }

  @Test("WSF-10, RP-4: An answer without wctx or with that of another sign-in is refused")
  func context() async throws {
    let begun = party.begin(at: issuer, at: now)
    let another = party.begin(at: issuer, at: now)
    #expect(await code { _ = try await finish(message(nil), begun) } == .signInUnsolicited)
    #expect(
      await code { _ = try await finish(message(another.pending.request), begun) }
        == .signInOtherRequest)
    #expect(
      await code {
        _ = try await finish(message("rm=0&id=passive&ru=https://evil.example/"), begun)
      } == .signInOtherRequest)
    _ = try await finish(message(begun.pending.request), begun)
  }

  @Test("SEM-8, WSF-12: A token of another issuer or for another audience is refused")
  func otherIssuer() async throws {
    let begun = party.begin(at: issuer, at: now)
    let request = begun.pending.request
    #expect(
      await code { _ = try await finish(message(request, by: other), begun) }
        == .signInOtherIssuer)
    #expect(
      await code { _ = try await finish(message(request, audience: "urn:App"), begun) }
        == .audienceMismatch)
    _ = try await finish(message(request), begun)
  }

  @Test(
    "WSF-9: A request, a pointer to a token or a token by GET is refused",
    arguments: [
      "wa=wsignin1.0&wresult=x", "wa=wsignin1.0&wresultptr=https%3A%2F%2Fevil.example",
      "wa=wattr1.0", "wa=wsignin1.0&wreqptr=https%3A%2F%2Fevil.example", "wtrealm=urn%3Aapp",
    ])
  func requests(query: String) async throws {
    #expect(
      await code { _ = try party.receive(WebRequest(method: "GET", query: query)) }
        == .clientParameter)
  }

  @Test("WSF-11: A sign-out elsewhere is told apart, with the address that it names")
  func cleanup() throws {
    let message = WebRequest(
      method: "GET", query: "wa=wsignoutcleanup1.0&wreply=https%3A%2F%2Fevil.example")
    guard case .signOutCleanup(let reply) = try party.receive(message) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(reply?.text == "https://evil.example/")
    #expect(
      party.signOut(at: issuer).address.text
        == "https://adfs.example/adfs/ls/?wa=wsignout1.0&wtrealm=urn%3Aapp")
  }
}
