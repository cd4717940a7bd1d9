import HTTPExchange
import SignIn
import SignInAttack
import TestSupport
import Testing

@Suite("A run against a service")
struct AttackRunTests {
  private static let protocols = AttackConfiguration.SignInProtocol.allCases

  @Test("The honest answer signs in, by each protocol", arguments: protocols)
  func control(name: AttackConfiguration.SignInProtocol) async throws {
    let fixture = try AttackFixture.site(name)
    var run = fixture.run
    try await run.control()
    #expect(run.signIns == 2)
  }

  @Test(
    "The sign-in of this package refuses every variant of more than a token", arguments: protocols)
  func conversations(name: AttackConfiguration.SignInProtocol) async throws {
    let fixture = try AttackFixture.site(name)
    var run = fixture.run
    try await run.control()
    var played = 0
    for variant in try VariantList.all(of: fixture.provider) {
      if case .mutation = variant.play { continue }
      let result = try await run.play(variant)
      let isFitting =
        result.verdict == .refused
        || result.verdict == .inapplicable("the service does not ask for UserInfo")
        || result.verdict == .inapplicable("the request has no state")
        || result.verdict == .inapplicable("the request takes any way to sign in")
      #expect(isFitting, "\(variant.id): \(result.verdict)")
      played += 1
    }
    #expect(played > 9)
  }

  @Test("The sign-in of this package refuses changed tokens")
  func mutations() async throws {
    let fixture = try AttackFixture.site(.saml20)
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants([
      "signature/removed", "wrapping/nested", "content/subject", "audience/other",
      "recipient/other",
      "time/expired-now", "confusion/hmac-sha256-pem", "key/attacker-certificate",
    ])
    #expect(variants.count == 8)
    for variant in variants {
      #expect(try await run.play(variant).verdict == .refused, "\(variant.id)")
    }
  }

  @Test("A service that reads whatever it gets is found, with the answer that it took")
  func credulous() async throws {
    let fixture = try AttackFixture(AttackFixture.configuration(start: "/login", probe: "/me")) {
      await CredulousService.respond(to: $0)
    }
    var run = fixture.run
    try await run.control()
    let results = try await fixture.variants([
      "signature/removed", "wrapping/first-unsigned", "signer/other-key",
    ])
    .asyncMap { try await run.play($0) }
    #expect(
      results.map(\.verdict) == [
        .accepted(.named, isSteady: true), .accepted(.attacker, isSteady: true),
        .accepted(.named, isSteady: true),
      ])
    #expect(results.map(\.severity) == [.error, .error, .error])
    #expect(results[0].exchange.answer.contains("<saml:Assertion"))
    #expect(results[0].count == 2)
  }

  @Test("Where the signed person is read, less is at stake")
  func genuine() {
    let variant = AttackVariant(
      "wrapping/nested", "", clause: "", meaning: "", .error, ifGenuine: .note, .mutation(""))
    func result(_ whom: Reached) -> AttackResult {
      AttackResult(
        variant: variant, verdict: .accepted(whom, isSteady: true), subject: "", count: 2,
        exchange: AttackExchange())
    }
    #expect(result(.named).severity == .note)
    #expect(result(.attacker).severity == .error)
  }

  // MARK: Control

  /// The code with which the control of a service fails.
  private static func failure(
    _ configuration: AttackConfiguration, _ service: @escaping AttackFixture.Service
  ) async throws -> TokenError.Code? {
    var run = try AttackFixture(configuration, service).run
    do throws(TokenError) {
      try await run.control()
      return nil
    } catch {
      return error.code
    }
  }

  private static func credulous() throws -> AttackConfiguration {
    try AttackFixture.configuration(start: "/login", probe: "/me")
  }

  @Test("A service that lets its person in passes")
  func passes() async throws {
    #expect(
      try await Self.failure(Self.credulous()) { await CredulousService.respond(to: $0) } == nil)
  }

  @Test("A probe that matches without a sign-in proves nothing")
  func baseline() async throws {
    let code = try await Self.failure(Self.credulous()) { _ in
      .of(200, "text/html", "You are alice.")
    }
    #expect(code == .attackBaseline)
  }

  @Test("A page that shows the attacker's subject to anyone proves nothing")
  func attackerOnEveryPage() async throws {
    let code = try await Self.failure(Self.credulous()) { request in
      var response = await CredulousService.respond(to: request)
      if response.status == 200 { response.body += Array("You are mallory.".utf8) }
      return response
    }
    #expect(code == .attackBaseline)
  }

  @Test("A service that refuses the honest answer is not tested")
  func honest() async throws {
    let code = try await Self.failure(Self.credulous()) { request in
      request.method == "POST" ? .of(403) : await CredulousService.respond(to: request)
    }
    #expect(code == .attackHonest)
  }

  @Test("A service that knows its people already is told apart from one that refuses")
  func people() async throws {
    let known: AttackFixture.Service = { request in
      let response = await CredulousService.respond(to: request)
      let isAlice = String(decoding: response.body, as: UTF8.self).contains("You are alice.")
      return request.path == "/me" && !isAlice ? .of(401) : response
    }
    #expect(try await Self.failure(Self.credulous(), known) == .attackPeople)
    var configuration = try Self.credulous()
    configuration.usesCanaries = false
    #expect(try await Self.failure(configuration, known) == nil)
  }

  @Test("A service that asks nothing of the provider is not tested")
  func noRequest() async throws {
    let code = try await Self.failure(Self.credulous()) { request in
      request.path == "/me" ? .of(401) : .of(200, "text/html", "<p>Choose</p>")
    }
    #expect(code == .attackNoRequest)
  }

  @Test("A request that is none of the protocol is told")
  func request() async throws {
    let code = try await Self.failure(Self.credulous()) { request in
      request.path == "/me" ? .of(401) : .redirect(AttackFixture.issuer + "/sso?wa=wsignin1.0")
    }
    #expect(code == .attackRequest)
  }

  @Test("A run begins no more sign-ins than the file allows")
  func limit() async throws {
    var configuration = try Self.credulous()
    configuration.mostSignIns = 3
    let fixture = try AttackFixture(configuration) { await CredulousService.respond(to: $0) }
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["signer/other-key"]).first)
    await #expect(throws: TokenError(.attackLimit)) { _ = try await run.play(variant) }
  }

  @Test("At most five sign-ins begin in a second")
  func pace() async throws {
    let fixture = try AttackFixture(Self.credulous()) { await CredulousService.respond(to: $0) }
    let began = fixture.clock.now
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["signer/other-key"]).first)
    for _ in 0..<4 { _ = try await run.play(variant) }
    #expect(run.signIns == 10)
    #expect(fixture.clock.now.milliseconds(since: began) >= 1_800)
    #expect(fixture.clock.waits.allSatisfy { $0 <= .milliseconds(200) })
  }

  @Test("A service that fails is asked once more, and then told as not played")
  func trouble() async throws {
    let isDown = Mutexed(false)
    let fixture = try AttackFixture(Self.credulous()) { request in
      isDown.current ? .of(503) : await CredulousService.respond(to: request)
    }
    var run = fixture.run
    try await run.control()
    isDown.withLock { $0 = true }
    let variant = try #require(try fixture.variants(["signer/other-key"]).first)
    let result = try await run.play(variant)
    guard case .unplayed = result.verdict else { Issue.record("\(result.verdict)"); return }
    #expect(result.count == 2)
  }

  /// What the variant with another issuer comes to, and what was waited for, at a service that fails after its answer as often
  /// as that; for the browser of the answer alone, or for all.
  private static func failing(
    _ times: Int, forAll: Bool
  ) async throws -> (AttackResult, [Duration]) {
    let rest = Mutexed(0)
    let fixture = try AttackFixture(credulous()) { request in
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? false
      guard !isOther else {
        rest.withLock { $0 = times }
        var response = HTTPResponse(status: 500)
        try? response.fields.append("Set-Cookie", "failing=1; Path=/")
        return response
      }
      let isConcerned = forAll || request.cookies["failing"] != nil
      let isDown = rest.withLock { rest -> Bool in
        guard isConcerned, rest > 0 else { return false }
        rest -= 1
        return true
      }
      return isDown ? .of(500) : await CredulousService.respond(to: request)
    }
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["signer/other-issuer"]).first)
    return (try await run.play(variant), fixture.clock.waits.filter { $0 >= .seconds(1) })
  }

  @Test("A service that an answer ended is judged by its page once it has started again")
  func startsAgain() async throws {
    let (result, waits) = try await Self.failing(4, forAll: true)
    #expect(result.verdict == .refused && result.count == 1)
    #expect(waits == [.seconds(1), .seconds(2)])
  }

  @Test("A service that does not start again is told as not played")
  func staysDown() async throws {
    let (result, waits) = try await Self.failing(.max, forAll: true)
    guard case .unplayed = result.verdict else { Issue.record("\(result.verdict)"); return }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
  }

  @Test("A page that fails in the browser of the answer alone is not waited for")
  func failsAlone() async throws {
    let (result, waits) = try await Self.failing(.max, forAll: false)
    guard case .unplayed = result.verdict else { Issue.record("\(result.verdict)"); return }
    #expect(waits.isEmpty && result.count == 2)
  }

  @Test("A gateway's status for a wrong answer alone is a refusal")
  func gateway() async throws {
    let fixture = try AttackFixture(Self.credulous()) { request in
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? false
      return isOther ? .of(504) : await CredulousService.respond(to: request)
    }
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["signer/other-issuer"]).first)
    #expect(try await run.play(variant).verdict == .refused)
  }

  @Test("UserInfo of another person is put aside, as the standard has it: that is a note")
  func userInfo() throws {
    let fixture = try AttackFixture(AttackFixture.configuration(.openID)) { _ in .of(404) }
    let variant = try #require(try fixture.variants(["userinfo/other-subject"]).first)
    #expect(variant.severity == .error && variant.severityIfGenuine == .note)
  }
}

extension Array {
  /// The results of an asynchronous function, one after the other.
  func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}

extension HTTPResponse {
  static func redirect(_ location: String, cookie: String? = nil) -> HTTPResponse {
    var response = HTTPResponse(status: 302)
    try? response.fields.append("Location", location)
    if let cookie { try? response.fields.append("Set-Cookie", cookie) }
    return response
  }
}
