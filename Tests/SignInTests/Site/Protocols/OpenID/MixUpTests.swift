import HTTPExchange
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: answers that were mixed up or used before")
struct MixUpTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  private func refusal(
    of parameters: [String: String], mode: String? = nil,
    _ change: (inout OpenIDClient) throws -> Void = { _ in }
  ) async throws -> TokenError.Code? {
    let party = try fixture.party(change)
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    _ = try fixture.provider.authorize(begun.action)
    let all = parameters.merging(["state": begun.pending.request]) { _, state in state }
    let message = ScriptedProvider.message(all, mode: mode)
    return await refusalCode {
      _ = try await party.finish(
        message, pending: begun.pending, used: fixture.used, at: fixture.time.now)
    }
  }

  @Test("RP-11: An answer of another issuer is refused, also an error and one that should name it")
  func mixUp() async throws {
    let issuer = fixture.provider.issuer
    for other in ["https://evil.example/", issuer + "/", "https://IDP.example/tenant"] {
      #expect(try await refusal(of: ["code": "code-1", "iss": other]) == .signInOtherIssuer)
      let error = ["error": "access_denied", "iss": other]
      #expect(try await refusal(of: error) == .signInOtherIssuer)
    }
    #expect(try await refusal(of: ["code": "code-1"]) == .signInOtherIssuer)
    #expect(try await refusal(of: ["code": "code-1", "iss": issuer]) == nil)
  }

  @Test(
    "RP-11: A provider that does not announce the issuer in answers may leave it out, not change it"
  )
  func silentIssuer() async throws {
    fixture.provider.change {
      $0.discovery["authorization_response_iss_parameter_supported"] = nil
    }
    #expect(try await refusal(of: ["code": "code-1"]) == nil)
    let other = ["code": "code-1", "iss": "https://evil.example/"]
    #expect(try await refusal(of: other) == .signInOtherIssuer)
  }

  @Test(
    "RP-12: An error, an error beside a code, a token or no code is refused; a code alone is not")
  func answers() async throws {
    let iss = ["iss": fixture.provider.issuer]
    func code(_ parameters: [String: String]) async throws -> TokenError.Code? {
      try await refusal(of: iss.merging(parameters) { $1 })
    }
    #expect(try await code(["error": "access_denied"]) == .signInRefused)
    #expect(try await code(["error": "access_denied", "code": "code-1"]) == .clientParameter)
    #expect(try await code(["code": "code-1", "id_token": "x"]) == .clientParameter)
    #expect(try await code(["code": "code-1", "access_token": "x"]) == .clientParameter)
    #expect(try await code([:]) == .clientParameter)
    #expect(try await code(["code": ""]) == .clientParameter)
    #expect(try await code(["code": "code-1"]) == nil)
  }

  @Test("A refusal shows the provider's error code and, on one line, what it says about it")
  func refusalText() async throws {
    let party = try fixture.party()
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    let message = ScriptedProvider.message([
      "state": begun.pending.request, "iss": fixture.provider.issuer, "error": "access_denied",
      "error_description": "AADSTS65004: declined.\nTrace: 1" + String(repeating: "x", count: 300),
    ])
    let error = await #expect(throws: TokenError.self) {
      try await party.finish(
        message, pending: begun.pending, used: fixture.used, at: fixture.time.now)
    }
    let found = try #require(error?.found)
    #expect(error?.code == .signInRefused)
    #expect(found.hasPrefix("\"access_denied\", \"AADSTS65004: declined.\\nTrace: 1xxx"))
    #expect(!found.contains("\n") && found.utf8.count < 300)
  }

  @Test("RP-12: The response mode is the one that was asked for")
  func responseMode() async throws {
    let answer = ["code": "code-1", "iss": fixture.provider.issuer]
    #expect(try await refusal(of: answer, mode: "form_post") == .clientContentType)
    #expect(try await refusal(of: answer) { $0.responseMode = .formPost } == .clientContentType)
    #expect(
      try await refusal(of: answer, mode: "form_post") { $0.responseMode = .formPost } == nil)
  }

  @Test("RP-12: A form with parameters in its query too is refused")
  func queryBesideForm() async throws {
    let party = try fixture.party { $0.responseMode = .formPost }
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    var answer = try fixture.provider.authorize(begun.action)
    answer.query = "code=evil"
    #expect(throws: TokenError(.clientDuplicateParameter)) { try party.request(of: answer) }
    answer.query = "tenant=1"
    #expect(try party.request(of: answer) == begun.pending.request)
  }

  @Test("RP-12: A code of another sign-in fails at the proof key, a used one at the provider")
  func injectedCode() async throws {
    let party = try fixture.party()
    let now = fixture.time.now
    let victim = try await party.begin(returningTo: nil, at: now)
    let attacker = try await party.begin(returningTo: nil, at: now)
    let stolen = try fixture.provider.authorize(victim.action, code: "stolen")
    _ = try fixture.provider.authorize(attacker.action, code: "own")
    let injected = ScriptedProvider.message([
      "code": "stolen", "state": attacker.pending.request, "iss": fixture.provider.issuer,
    ])
    func code(_ message: WebRequest, _ pending: PendingSignIn) async -> TokenError.Code? {
      await refusalCode {
        _ = try await party.finish(message, pending: pending, used: fixture.used, at: now)
      }
    }
    #expect(await code(injected, attacker.pending) == .signInRefused)
    #expect(await code(stolen, victim.pending) == nil)
    #expect(await code(stolen, victim.pending) == .signInRefused)
    #expect(fixture.provider.complaints == ["invalid_grant", "invalid_grant"])
  }

  @Test("RP-21: Of parallel answers with one state exactly one wins, whatever the provider allows")
  func parallel() async throws {
    fixture.provider.change { $0.mayReuseCodes = true }
    let party = try fixture.party()
    let now = fixture.time.now
    let begun = try await party.begin(returningTo: nil, at: now)
    let answer = try fixture.provider.authorize(begun.action)
    let codes = await withTaskGroup(of: TokenError.Code?.self) { group in
      for _ in 0..<8 {
        group.addTask { [fixture] in
          await refusalCode {
            _ = try await party.finish(answer, pending: begun.pending, used: fixture.used, at: now)
          }
        }
      }
      var codes: [TokenError.Code?] = []
      for await code in group { codes.append(code) }
      return codes
    }
    #expect(codes.count { $0 == nil } == 1)
    #expect(codes.count { $0 == .signInFinished } == 7)
    // Another sign-in is not affected.
    #expect(try await fixture.signIn(party, code: "code-2").principal.subject == "alice")
  }

  @Test("A sign-in that failed is not used up; one that succeeded is")
  func failureLeavesOpen() async throws {
    fixture.provider.change { $0.mayReuseCodes = true }
    let party = try fixture.party()
    let begun = try await party.begin(returningTo: nil, at: fixture.time.now)
    let answer = try fixture.provider.authorize(begun.action)
    func code() async -> TokenError.Code? {
      await refusalCode {
        _ = try await party.finish(
          answer, pending: begun.pending, used: fixture.used, at: fixture.time.now)
      }
    }
    fixture.provider.change { $0.replaced["/token"] = .of(503) }
    #expect(await code() == .transportStatus)
    fixture.provider.change { $0.replaced["/token"] = nil }
    #expect(await code() == nil)
    #expect(await code() == .signInFinished)
  }
}
