import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import Simulators
import Synchronization
import Testing
import TokenBasics

@Suite("Resources of Mobile Foundation")
struct MobileResourceTests {
  static let john = MobileFoundationTests.john

  static func request(_ path: String) throws -> HTTPRequest {
    HTTPRequest(
      .put, try HTTPURL("https://mf.example.org/mfp/api/adapters/talks/" + path),
      body: Array("body".utf8))
  }

  @Test("S4 A resource gets a request without a token, then one with its scope, with the same body")
  func scope() async throws {
    let simulator = try MobileFoundationTests.simulator()
    let server = ScriptedServer(simulator)
    let client = try MobileFoundationTests.client(server)
    await client.registerChallengeHandler(
      ScriptedHandler(.submit(Self.john)), forSecurityCheck: "UserLogin")
    let answer = try await client.response(to: Self.request("mine"))
    #expect(String(decoding: answer.body, as: UTF8.self) == "mine: body")
    let resource = server.requests.filter { $0.url.path.hasSuffix("mine") }
    #expect(resource.map { $0.fields["Authorization"] != nil } == [false, true, true])
    #expect(
      server.requests.last { $0.url.path.hasSuffix("authorization") }?.query["scope"]
        == "RegisteredClient accessRestricted")
  }

  @Test("S4 A rejected token is removed and replaced once")
  func invalidToken() async throws {
    let simulator = try MobileFoundationTests.simulator()
    let server = ScriptedServer(simulator)
    let client = try MobileFoundationTests.client(server)
    await client.registerChallengeHandler(
      ScriptedHandler(.submit(Self.john)), forSecurityCheck: "UserLogin")
    _ = try await client.response(to: Self.request("mine"), scope: "accessRestricted")
    simulator.revokeTokens()
    let answer = try await client.response(to: Self.request("mine"), scope: "accessRestricted")
    #expect(answer.status == 200)
    #expect(simulator.tokenRequests == 2)
  }

  @Test("A conflict is repeated seven times, then returned")
  func conflict() async throws {
    let simulator = try MobileFoundationTests.simulator()
    let client = try MobileFoundationTests.client(ScriptedServer(simulator))
    #expect(try await client.response(to: Self.request("busy")).status == 409)
    #expect(simulator.conflicts == 8)
  }

  @Test(
    "A repeated rejection is returned after one more attempt",
    arguments: [
      (401, #"Bearer"#), (401, #"Bearer error="invalid_token""#),
      (403, #"Bearer error="insufficient_scope", scope="RegisteredClient""#),
    ])
  func bounded(status: Int, challenge: String) async throws {
    let simulator = try MobileFoundationTests.simulator()
    let inner = ScriptedServer(simulator)
    let server = ScriptedServer { request, _ throws(TokenError) in
      if request.url.path.contains("adapters") {
        return .answer(status, [("WWW-Authenticate", challenge)])
      }
      return try await inner.response(to: request)
    }
    let client = try MobileFoundationTests.client(server)
    #expect(try await client.response(to: Self.request("x")).status == status)
    #expect(server.requests.count { $0.url.path.contains("adapters") } == 2)
  }

  @Test(
    "A 401 or 403 without the server's challenge is the resource's own answer",
    arguments: [(401, "Basic realm=\"x\""), (403, "Bearer"), (403, "x"), (401, "Bearer x=\"")])
  func foreign(status: Int, challenge: String) async throws {
    let server = ScriptedServer(.answer(status, [("WWW-Authenticate", challenge)]))
    let client = try MobileFoundationTests.client(server)
    #expect(try await client.response(to: Self.request("x")).status == status)
    #expect(server.requests.count == 1)
  }

  @Test("RP-2 Another origin never gets a token")
  func origin() async throws {
    let simulator = try MobileFoundationTests.simulator()
    let server = ScriptedServer(simulator)
    let client = try MobileFoundationTests.client(server)
    let elsewhere = HTTPRequest(.get, try HTTPURL("https://mf.example.org:8443/mfp/api/adapters"))
    await expect(throws: TokenError(.sessionOtherOrigin)) {
      try await client.response(to: elsewhere)
    }
    #expect(server.requests.isEmpty)
  }

  @Test(
    "RP-12 A code is read from the Location of our own redirect, once, and not with an error",
    arguments: [
      "https://evil.example?code=1", "https://mfpredirecturi/x?code=1",
      "https://mfpredirecturi?code=1&code=2", "https://mfpredirecturi?code=",
      "https://mfpredirecturi?code=1&error=access_denied", "https://mfpredirecturi.evil?code=1",
      "http://mfpredirecturi?code=1",
    ])
  func code(location: String) async throws {
    let simulator = try MobileFoundationTests.simulator()
    let inner = ScriptedServer(simulator)
    let server = ScriptedServer { request, _ throws(TokenError) in
      if request.url.path.hasSuffix("authorization") {
        return .answer(302, [("Location", location)])
      }
      return try await inner.response(to: request)
    }
    let client = try MobileFoundationTests.client(server)
    await expect(throws: TokenError.self) { try await client.obtainAccessToken() }
    #expect(!server.requests.contains { $0.url.path.hasSuffix("token") })
  }

  @Test(
    "RP-18 A token response that violates its protocol is rejected",
    arguments: [
      #"{"access_token":"a","token_type":"mac","expires_in":1}"#,
      #"{"access_token":"a","token_type":"Bearer"}"#,
      #"{"access_token":"a","token_type":"Bearer","expires_in":-1}"#,
      #"{"access_token":"a","token_type":"Bearer","expires_in":1e300}"#,
      #"{"access_token":"a","access_token":"b","token_type":"Bearer","expires_in":1}"#,
      "<html>",
    ])
  func tokenAnswer(body: String) async throws {
    let simulator = try MobileFoundationTests.simulator()
    let inner = ScriptedServer(simulator)
    let server = ScriptedServer { request, _ throws(TokenError) in
      if request.url.path.hasSuffix("az/v1/token") { return .json(body) }
      return try await inner.response(to: request)
    }
    let client = try MobileFoundationTests.client(server)
    let error = await expect(throws: TokenError.self) { try await client.obtainAccessToken() }
    #expect(["transport", "input"].contains(error?.code.family))
  }

  @Test(
    "RP-18 A preauthorization whose status and body disagree is refused",
    arguments: [
      (200, #"{"challenges":{"UserLogin":{}}}"#), (403, #"{"successes":{}}"#), (200, "[]"),
      (200, #"{"successes":7}"#), (401, #"{"challenges":{"A":{},"A":{}}}"#), (200, "<html>"),
    ])
  func preauthorization(status: Int, body: String) async throws {
    let simulator = try MobileFoundationTests.simulator()
    let inner = ScriptedServer(simulator)
    let server = ScriptedServer { request, _ throws(TokenError) in
      if request.url.path.hasSuffix("preauthorize") {
        return .json(body, status: status, [("WWW-Authenticate", "MFP-Challenge")])
      }
      return try await inner.response(to: request)
    }
    let client = try MobileFoundationTests.client(server)
    let error = await expect(throws: TokenError.self) { try await client.obtainAccessToken() }
    #expect(["transport", "input"].contains(error?.code.family))
  }

  @Test("RP-9 No description or error contains a credential, a token or a key")
  func secrecy() async throws {
    let simulator = try MobileFoundationTests.simulator()
    let observer = ScribblingObserver()
    let identities = MemoryIdentityStore()
    let client = try MobileFoundationTests.client(
      ScriptedServer(simulator), identities: identities, observer: observer)
    let handler = ScriptedHandler(.submit(MobileFoundationTests.wrong), .submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    let token = try await client.obtainAccessToken(forScope: "accessRestricted")
    var said = observer.heard + handler.heard.joined()
    dump(token, to: &said)
    dump(MobileFoundationTests.wrong, to: &said)
    dump(ChallengeAnswer.submit(MobileFoundationTests.wrong), to: &said)
    let stored = try #require(try await identities.identity())
    dump(try MobileIdentity(stored: stored), to: &said)
    dump(identities, to: &said)
    said += "\(stored) \(token) \(MobileFoundationTests.wrong)"
    for secret in ["wr0ng-secret", "mfp-token-1-secret", "code-1"] {
      #expect(!said.contains(secret), "\(secret)")
    }
    let key = try #require(stored.revealed.split(separator: "\"").max { $0.count < $1.count })
    #expect(!said.contains(key))
  }

  @Test("An identity that cannot be read is an error of its own")
  func identity() {
    for text in ["", "{}", #"{"client_id":"1","key":"AAAA"}"#] {
      expect(throws: TokenError(.clientIdentity)) { try MobileIdentity(stored: Secret(text)) }
    }
  }
}
