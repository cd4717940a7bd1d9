import Federation
import Foundation
import IdentityProviderTesting
import SignIn
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
    #expect(await refusalCode { _ = try await finish(message, begun) } == .signInFinished)
  }

  @Test("WSF-10, RP-4: An answer without wctx or with that of another sign-in is refused")
  func context() async throws {
    let begun = party.begin(at: issuer, at: now)
    let another = party.begin(at: issuer, at: now)
    for context in [nil, ""] {
      #expect(
        await refusalCode { _ = try await finish(message(context), begun) } == .signInUnsolicited)
    }
    #expect(
      await refusalCode { _ = try await finish(message(another.pending.request), begun) }
        == .signInOtherRequest)
    #expect(
      await refusalCode {
        _ = try await finish(message("rm=0&id=passive&ru=https://evil.example/"), begun)
      } == .signInOtherRequest)
    _ = try await finish(message(begun.pending.request), begun)
  }

  @Test("SEM-8, WSF-12: A token of another issuer or for another audience is refused")
  func otherIssuer() async throws {
    let begun = party.begin(at: issuer, at: now)
    let request = begun.pending.request
    #expect(
      await refusalCode { _ = try await finish(message(request, by: other), begun) }
        == .signInOtherIssuer)
    #expect(
      await refusalCode { _ = try await finish(message(request, audience: "urn:App"), begun) }
        == .audienceMismatch)
    _ = try await finish(message(request), begun)
  }

  @Test("WSF-10: An answer counts at the endpoint and in the protocol that the request named")
  func otherEndpoint() async throws {
    let begun = party.begin(at: issuer, at: now)
    let moved = try PassiveRelyingParty(
      realm: party.realm, reply: HTTPURL("https://app.example/wsfed"))
    let answer = try message(begun.pending.request)
    guard case .token(let token) = try party.receive(answer) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(
      await refusalCode {
        _ = try await moved.finish(token, begun.pending, trust: trust, used: used, at: now)
      } == .signInOtherEndpoint)
    let saml = PendingSignIn(
      .saml2, issuer: "urn:adfs", endpoint: party.reply.text, returnPath: nil,
      random: RandomSource(), at: now)
    guard case .token(let other) = try party.receive(message(saml.request)) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(
      await refusalCode {
        _ = try await party.finish(other, saml, trust: trust, used: used, at: now)
      }
        == .signInOtherEndpoint)
    _ = try await finish(answer, begun)
  }

  @Test("SEM-18: A token signs in once, beside the request that it answers")
  func tokenOnce() async throws {
    var draft = TokenDraft(issuer: idp.entityID, audiences: ["urn:app"], issuedAt: now, id: "_one")
    draft.subject = "ada"
    let result = String(
      decoding: try SAMLIssuer(.v1, key: idp.key).tokenResponse(draft), as: UTF8.self)
    func answer(_ begun: BegunSignIn) -> WebRequest {
      IdentityProviderSimulator.form([
        ("wa", "wsignin1.0"), ("wresult", result), ("wctx", begun.pending.request),
      ])
    }
    let (first, second) = (party.begin(at: issuer, at: now), party.begin(at: issuer, at: now))
    let third = party.begin(at: issuer, at: now)
    _ = try await finish(answer(first), first)
    #expect(await refusalCode { _ = try await finish(answer(second), second) } == .replayUsed)
    _ = try await finish(message(third.pending.request), third)
  }

  @Test("The request says what the application asks for: realm, method and freshness")
  func demands() throws {
    var options = PassiveOptions()
    options.homeRealm = "urn:home"
    options.authenticationType = "urn:method"
    options.freshness = -1
    let query = party.begin(at: issuer, options: options, at: now).action.address.query ?? ""
    #expect(query.contains("&whr=urn%3Ahome&wauth=urn%3Amethod&wfresh=0"))
    let plain = party.begin(at: issuer, at: now).action.address.query ?? ""
    #expect(!plain.contains("whr=") && !plain.contains("wauth=") && !plain.contains("wfresh="))
    #expect(
      party.signOut(at: issuer, returningTo: party.reply).address.text
        .hasSuffix("&wreply=https%3A%2F%2Fapp.example%2F.gate%2Fwsfed"))
    #expect(throws: TokenError(.signInConfiguration)) {
      try PassiveRelyingParty(realm: "", reply: party.reply)
    }
  }

  @Test("Of the metadata of an issuer counts the endpoint for browsers")
  func metadata() throws {
    func issuer(_ name: String) throws -> PassiveIssuer? {
      var metadata = SecurityTokenServiceMetadata(
        issuer: "urn:adfs", certificates: [idp.certificate], passive: "https://adfs.example/ls/",
        claimTypes: [])
      metadata.active = "https://adfs.example/active"
      let text = String(decoding: try metadata.document(signedWith: idp.key), as: UTF8.self)
      var reader = try MetadataReader()
      let document = text.replacingOccurrences(of: "PassiveRequestorEndpoint", with: name)
      let entities = try reader.consume(Array(document.utf8)) + reader.finish()
      return try PassiveIssuer(try #require(entities.first))
    }
    #expect(
      try issuer("PassiveRequestorEndpoint")?.endpoint.text == "https://adfs.example/ls/")
    #expect(throws: TokenError(.signInNoEndpoint)) { try issuer("OtherEndpoint") }
  }

  @Test(
    "WSF-9: A request, a pointer to a token or a token by GET is refused",
    arguments: [
      "wa=wsignin1.0&wresult=x", "wa=wsignin1.0&wresultptr=https%3A%2F%2Fevil.example",
      "wa=wattr1.0", "wa=wsignin1.0&wreqptr=https%3A%2F%2Fevil.example", "wtrealm=urn%3Aapp",
    ])
  func requests(query: String) throws {
    #expect(
      refusalCode { _ = try party.receive(WebRequest(method: "GET", query: query)) }
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
