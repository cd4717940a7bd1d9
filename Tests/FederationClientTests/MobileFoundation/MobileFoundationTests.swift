import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import Simulators
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Mobile Foundation")
struct MobileFoundationTests {
  static let john: SecurityCheckCredentials = ["username": "john", "password": "john"]
  static let wrong: SecurityCheckCredentials = ["username": "john", "password": "wr0ng-secret"]
  static let base = "https://mf.example.org/mfp/api"

  static func simulator(time: StillTime = StillTime(), clockOffset: Int64 = 0) throws
    -> FoundationServer
  {
    FoundationServer(
      base: try HTTPURL("https://mf.example.org/"), time: time, clockOffset: clockOffset)
  }

  static func client(
    _ transport: any HTTPTransport,
    identities: MemoryIdentityStore = MemoryIdentityStore(),
    time: StillTime = StillTime(), observer: any ActivityObserver = SecrecyObserver()
  ) throws -> MobileFoundation {
    MobileFoundation(
      base: try HTTPURL(base),
      application: MobileApplication(id: "org.example.talks", platform: "linux", version: "1.0.0"),
      device: MobileDevice(id: "dev-1", platform: "linux", model: "m"), identities: identities,
      over: transport, time: time, observer: observer)
  }

  @Test("S4 A scope's token follows the answer to the challenge; the handler is called first")
  func token() async throws {
    let simulator = try Self.simulator()
    let server = ScriptedServer(simulator)
    let client = try Self.client(server)
    let handler = ScriptedHandler(.submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    let token = try await client.obtainAccessToken(forScope: "accessRestricted")
    handler.note("returned")
    #expect(token.value.revealed == "mfp-token-1-secret")
    #expect(token.expires == StillTime().now.advanced(bySeconds: 3599))
    #expect(
      handler.heard == ["challenge UserLogin - 3", "success UserLogin John", "returned"])
    #expect(
      server.requests.map(\.url.path).map { $0.dropFirst(9) } == [
        "registration/v1/self", "preauth/v1/preauthorize", "preauth/v1/preauthorize",
        "az/v1/authorization", "az/v1/token",
      ])
    let first = try JSONParser.parse(server.requests[1].body)
    #expect(first["scope"]?.string == "accessRestricted")
    #expect(first["challengeResponse"] == nil)
    let second = try JSONParser.parse(server.requests[2].body)
    #expect(second["challengeResponse"]?["UserLogin"]?["username"]?.string == "john")
  }

  @Test("An application that the server does not register gets no token")
  func unregistered() async throws {
    for (answer, code) in [
      (
        HTTPResponse.json(#"{"errorCode":"APPLICATION_DOES_NOT_EXIST"}"#, status: 403),
        TokenError.Code.clientRegistration
      ),
      (.answer(500), .transportStatus), (.answer(201), .transportMalformedResponse),
    ] {
      let simulator = try Self.simulator()
      let server = ScriptedServer(answer)
      let identities = MemoryIdentityStore()
      let client = try Self.client(server, identities: identities)
      await expect(throws: TokenError(code)) {
        try await client.obtainAccessToken(forScope: "")
      }
      #expect(server.requests.allSatisfy { $0.url.path.hasSuffix("registration/v1/self") })
      // A failed registration is not stored, so a repaired server registers the client.
      let mended = try Self.client(ScriptedServer(simulator), identities: identities)
      #expect(try await mended.obtainAccessToken(forScope: "").value.revealed.isEmpty == false)
    }
  }

  @Test("S4 A cached token is reused; after it has expired there is no challenge while logged in")
  func held() async throws {
    let time = StillTime()
    let simulator = try Self.simulator(time: time)
    let server = ScriptedServer(simulator)
    let client = try Self.client(server, time: time)
    let handler = ScriptedHandler(.submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    let first = try await client.obtainAccessToken(forScope: "accessRestricted")
    let again = try await client.obtainAccessToken(forScope: " accessRestricted ")
    #expect(first.value.revealed == again.value.revealed)
    #expect(simulator.tokenRequests == 1)
    time.advance(seconds: 3600)
    let fresh = try await client.obtainAccessToken(forScope: "accessRestricted")
    #expect(fresh.value.revealed == "mfp-token-2-secret")
    #expect(handler.heard.count { $0.hasPrefix("challenge") } == 1)
  }

  @Test("S4 A scope is the same whatever the order of its elements")
  func sorted() async throws {
    let simulator = try Self.simulator()
    let server = ScriptedServer(simulator)
    let client = try Self.client(server)
    await client.registerChallengeHandler(
      ScriptedHandler(.submit(Self.john)), forSecurityCheck: "UserLogin")
    await client.registerChallengeHandler(
      ScriptedHandler(.submit(["pin": "1234"])), forSecurityCheck: "PinCode")
    let one = try await client.obtainAccessToken(forScope: "UserLogin PinCode")
    let two = try await client.obtainAccessToken(forScope: "PinCode  UserLogin")
    #expect(one.value.revealed == two.value.revealed)
    #expect(one.scope == "PinCode UserLogin")
    // Both checks were answered in one request.
    #expect(simulator.preauthorizations == 2)
  }

  @Test("S4 Login needs no challenge, returns the user and fetches no token")
  func login() async throws {
    let time = StillTime(
      Instant(secondsSinceEpoch: 1_893_499_200, nanoseconds: 123_000_000))
    let simulator = try Self.simulator(time: time)
    let server = ScriptedServer(simulator)
    let client = try Self.client(server)
    let handler = ScriptedHandler()
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    let user = try #require(
      try await client.login(securityCheck: "UserLogin", credentials: Self.john))
    handler.note("returned")
    #expect(user.id == "john")
    #expect(user.displayName == "John")
    #expect(user.authenticatedBy == "UserLogin")
    #expect(user.authenticatedAt?.withMilliseconds == "2030-01-01T12:00:00.123Z")
    #expect(user.attributes == ["team": "red"])
    #expect(handler.heard == ["success UserLogin John", "returned"])
    #expect(simulator.tokenRequests == 0)
    let json = try JSONParser.parse(try #require(server.requests.last).body)
    #expect(json["scope"]?.string == "UserLogin")
    _ = try await client.obtainAccessToken(forScope: "accessRestricted")
    #expect(!handler.heard.contains { $0.hasPrefix("challenge") })
  }

  @Test("S4 Wrong credentials are challenged again, with the reason and the attempts left")
  func wrongCredentials() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let handler = ScriptedHandler(.submit(Self.wrong), .submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    try await client.login(securityCheck: "UserLogin", credentials: Self.wrong)
    #expect(
      handler.heard == [
        "challenge UserLogin Wrong Credentials 2", "challenge UserLogin Wrong Credentials 1",
        "success UserLogin John",
      ])
  }

  @Test("S4 Without attempts left the handler receives the failure and the call throws it")
  func failure() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let handler = ScriptedHandler(.submit(Self.wrong), .submit(Self.wrong))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    await expect(throws: TokenError(.clientSecurityCheck)) {
      try await client.login(securityCheck: "UserLogin", credentials: Self.wrong)
    }
    #expect(handler.heard.last == "failure UserLogin Account blocked")
    // The next one may run.
    try await client.login(securityCheck: "UserLogin", credentials: Self.john)
  }

  @Test("S4 Cancelling ends the request and all that wait for it, with session.cancelled")
  func cancel() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let form = ChallengeForm()
    await client.registerChallengeHandler(form, forSecurityCheck: "UserLogin")
    var events = form.events.makeAsyncIterator()
    let one = Task { try await client.obtainAccessToken(forScope: "accessRestricted") }
    guard case .challenged = await events.next() else {
      Issue.record("no challenge")
      return
    }
    let two = Task { try await client.obtainAccessToken(forScope: "accessRestricted") }
    let other = Task { try await client.obtainAccessToken(forScope: "UserLogin") }
    for _ in 0..<50 { await Task.yield() }
    #expect(form.isChallenged)
    #expect(form.cancel())
    #expect(!form.isChallenged)
    await expect(throws: TokenError(.sessionCancelled)) { try await one.value }
    // A waiting call ends likewise; a later one gets a challenge and is cancelled, too.
    form.cancel()
    let late = Task {
      while let event = await events.next() { if case .challenged = event { form.cancel() } }
    }
    await expect(throws: TokenError(.sessionCancelled)) { try await two.value }
    await expect(throws: TokenError(.sessionCancelled)) { try await other.value }
    late.cancel()
  }

  @Test("S4 isChallenged distinguishes an answer from a login")
  func isChallenged() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let form = ChallengeForm()
    await client.registerChallengeHandler(form, forSecurityCheck: "UserLogin")
    #expect(!form.isChallenged)
    #expect(!form.submitChallengeAnswer(Self.john))
    async let token = client.obtainAccessToken(forScope: "accessRestricted")
    var heard: [String] = []
    for await event in form.events {
      switch event {
      case .challenged(let challenge):
        heard.append("challenged \(challenge.errorMessage ?? "-")")
        #expect(form.isChallenged)
        form.submitChallengeAnswer(heard.count == 1 ? Self.wrong : Self.john)
      case .succeeded(let success): heard.append("succeeded \(success.user?.id ?? "-")")
      case .failed: heard.append("failed")
      }
      if heard.last?.hasPrefix("succeeded") ?? false { break }
    }
    #expect(
      heard == ["challenged -", "challenged Wrong Credentials", "succeeded john"])
    #expect(try await token.value.revealed == "mfp-token-1-secret")
    #expect(!form.isChallenged)
  }

  @Test("S4 A second login while one runs is busy; a second request waits without a new challenge")
  func concurrency() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let form = ChallengeForm()
    await client.registerChallengeHandler(form, forSecurityCheck: "UserLogin")
    let tokens = Task {
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try? await client.obtainAccessToken(forScope: "accessRestricted").value.revealed
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    var events = form.events.makeAsyncIterator()
    _ = await events.next()
    await expect(throws: TokenError(.clientBusy)) {
      try await client.login(securityCheck: "UserLogin", credentials: Self.john)
    }
    await expect(throws: TokenError(.clientBusy)) {
      try await client.logout(securityCheck: "UserLogin")
    }
    form.submitChallengeAnswer(Self.john)
    #expect(Set(await tokens.value) == ["mfp-token-1-secret"])
    #expect(simulator.tokenRequests == 1)
    #expect(simulator.logins == ["john"])
  }

  @Test("S4 rememberMe is one of the credentials; after a restart there is no challenge")
  func rememberMe() async throws {
    let simulator = try Self.simulator()
    let identities = MemoryIdentityStore()
    let first = try Self.client(ScriptedServer(simulator), identities: identities)
    try await first.login(
      securityCheck: "UserLogin",
      credentials: ["username": "john", "password": "john", "rememberMe": true])
    simulator.endSessions()
    let second = try Self.client(ScriptedServer(simulator), identities: identities)
    let handler = ScriptedHandler()
    await second.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    _ = try await second.obtainAccessToken(forScope: "accessRestricted")
    #expect(handler.heard == ["success UserLogin John"])
    #expect(await second.user(ofSecurityCheck: "UserLogin")?.id == "john")
    #expect(simulator.registrations == 1)
  }

  @Test("S4 Logout reaches the server and removes every token")
  func logout() async throws {
    let simulator = try Self.simulator()
    let server = ScriptedServer(simulator)
    let client = try Self.client(server)
    await expect(throws: TokenError(.clientAuthorization)) {
      try await client.logout(securityCheck: "UserLogin")
    }
    let handler = ScriptedHandler(.submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    _ = try await client.obtainAccessToken(forScope: "accessRestricted")
    _ = try await client.obtainAccessToken()
    try await client.logout(securityCheck: "UserLogin")
    #expect(server.requests.last?.form["security_check"] == "UserLogin")
    #expect(await client.user(ofSecurityCheck: "UserLogin") == nil)
    // Challenged again, and cancelled.
    await expect(throws: TokenError(.sessionCancelled)) {
      try await client.obtainAccessToken(forScope: "accessRestricted")
    }
    #expect(simulator.tokenRequests == 2)
    _ = try await client.obtainAccessToken()
    #expect(simulator.tokenRequests == 3)
  }

  @Test("S4 A check without a handler ends the request before any other handler is called")
  func unhandled() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let handler = ScriptedHandler(.submit(Self.john))
    await client.registerChallengeHandler(handler, forSecurityCheck: "UserLogin")
    await expect(throws: TokenError(.clientUnhandledChallenge)) {
      try await client.obtainAccessToken(forScope: "UserLogin Unheard")
    }
    #expect(handler.heard.isEmpty)
  }

  @Test("S4 submitChallengeAnswer(nil) leaves a check out; if all do, the request ends")
  func withheld() async throws {
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    let pin = ScriptedHandler(.withhold, .submit(["pin": "1234"]))
    await client.registerChallengeHandler(
      ScriptedHandler(.submit(Self.john)), forSecurityCheck: "UserLogin")
    await client.registerChallengeHandler(pin, forSecurityCheck: "PinCode")
    _ = try await client.obtainAccessToken(forScope: "UserLogin PinCode")
    // A challenge may be null: neither a reason nor attempts.
    #expect(pin.heard.first == "challenge PinCode - -")
    #expect(pin.heard.count == 3)
    let other = try Self.client(ScriptedServer(Self.simulator()))
    await other.registerChallengeHandler(ScriptedHandler(.withhold), forSecurityCheck: "PinCode")
    await expect(throws: TokenError(.clientUnansweredChallenge)) {
      try await other.obtainAccessToken(forScope: "PinCode")
    }
  }

  @Test("A program that repeats the same answer is stopped")
  func endless() async throws {
    struct Stubborn: ChallengeHandler {
      func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
        .submit(["pin": "0000"])
      }
    }
    let simulator = try Self.simulator()
    let client = try Self.client(ScriptedServer(simulator))
    await client.registerChallengeHandler(Stubborn(), forSecurityCheck: "PinCode")
    await expect(throws: TokenError(.clientSecurityCheck)) {
      try await client.obtainAccessToken(forScope: "PinCode")
    }
    #expect(simulator.preauthorizations == 50)
  }

  @Test("A server that no longer knows the client gets a new registration, once")
  func reregister() async throws {
    let time = StillTime()
    let simulator = try Self.simulator(time: time)
    let client = try Self.client(ScriptedServer(simulator), time: time)
    _ = try await client.obtainAccessToken()
    simulator.forgetClients()
    time.advance(seconds: 3600)
    _ = try await client.obtainAccessToken()
    #expect(simulator.registrations == 2)
    let amnesic = ScriptedServer { request, _ in
      request.url.path.hasSuffix("self")
        ? .answer(201, [("Location", "https://mf.example.org/x/clients/1")])
        : .json(#"{"errorCode":"INVALID_CLIENT_ID"}"#, status: 400)
    }
    let lost = try Self.client(amnesic, time: time)
    await expect(throws: TokenError(.clientUnknownClient)) { try await lost.obtainAccessToken() }
    #expect(amnesic.requests.count == 4)
  }

  @Test("Signatures contain the server's time, however wrong the local clock is")
  func clock() async throws {
    let simulator = try Self.simulator(clockOffset: 7_200_000)
    let client = try Self.client(ScriptedServer(simulator))
    _ = try await client.obtainAccessToken()
    #expect(simulator.tokens.count == 1)
  }
}
