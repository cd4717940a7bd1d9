import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("A series of variants")
struct SeriesTests {
  /// What came of a series against a service: the results, what ended it, and the sign-ins.
  private func play(
    _ ids: [String]? = nil, _ service: @escaping AttackFixture.Service
  ) async throws -> (results: [AttackResult], end: TokenError?, fixture: AttackFixture) {
    let fixture = try AttackFixture(
      AttackFixture.configuration(start: "/login", probe: "/me"), service)
    var run = fixture.run
    try await run.control()
    let variants = try ids.map { try fixture.variants($0) } ?? VariantList.all(of: fixture.provider)
    var results: [AttackResult] = []
    let end = try await run.play(variants) { _, _ in
    } take: {
      results.append($0)
    }
    return (results, end, fixture)
  }

  @Test("A service that refuses everything after many failures has not refused the variants")
  func lockedOut() async throws {
    let answers = Mutexed(0)
    let (results, end, fixture) = try await play { request in
      guard request.path == "/acs" else { return await CredulousService.respond(to: request) }
      answers.withLock { $0 += 1 }
      return answers.current > 10 ? .of(403) : await CredulousService.respond(to: request)
    }
    #expect(end == TokenError(.attackLost))
    #expect(end?.node == AttackFixture.service + "/me")
    #expect((1...50).contains(results.count) && results.contains(where: \.isAccepted))
    #expect(results.contains { $0.isUnproven })
    #expect(results.allSatisfy { $0.verdict != .refused })
    #expect(fixture.clock.waits.allSatisfy { $0 < .seconds(1) })
  }

  /// What a series comes to at a service that takes whatever it gets but answers for eight seconds with a status after the
  /// sixth answer.
  private func limited(
    _ status: Int
  ) async throws -> (results: [AttackResult], end: TokenError?, fixture: AttackFixture) {
    let clock = Mutexed<AdvancingTime?>(nil)
    let state = Mutexed((answers: 0, end: Instant?.none))
    let fixture = try AttackFixture(AttackFixture.configuration(start: "/login", probe: "/me")) {
      request in
      guard request.path == "/acs", let now = clock.current?.now else {
        return await CredulousService.respond(to: request)
      }
      let isLimited = state.withLock { state in
        state.answers += 1
        if state.answers == 6 { state.end = now.advanced(bySeconds: 8) }
        return state.end.map { now < $0 } ?? false
      }
      return isLimited ? .of(status) : await CredulousService.respond(to: request)
    }
    clock.withLock { $0 = fixture.clock }
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants([
      "signer/other-key", "clock/an-hour-late", "clock/an-hour-early", "content/subject",
    ])
    var results: [AttackResult] = []
    let end = try await run.play(variants) { _, _ in
    } take: {
      results.append($0)
    }
    return (results, end, fixture)
  }

  @Test("A service that locks people out for some seconds has not refused the variants before")
  func lockedOutShortly() async throws {
    let (results, end, fixture) = try await limited(403)
    #expect(end == TokenError(.attackLost) && end?.found == "another page of the probe")
    #expect(results.map(\.isUnproven) == [false, false, true, true])
    #expect(results.prefix(2).allSatisfy { $0.isAccepted })
    #expect(fixture.clock.waits.allSatisfy { $0 < .seconds(1) })
  }

  @Test(
    "A service that fails for some seconds, or asks to wait, is tested on", arguments: [503, 429])
  func busyShortly(status: Int) async throws {
    let (results, end, fixture) = try await limited(status)
    #expect(end == nil)
    #expect(results.map(\.isUnplayed) == [false, false, true, false])
    #expect(results.last?.isAccepted == true)
    #expect(fixture.clock.waits.contains(.seconds(4)))
  }

  @Test("A variant that ends the service is named by the last one before it")
  func ended() async throws {
    let isEnded = Mutexed(false)
    let (results, end, _) = try await play([
      "signer/other-key", "signer/other-issuer", "context/other",
    ]) { request in
      if AttackFixture.message(in: request.body)?.contains("/another") == true {
        isEnded.withLock { $0 = true }
      }
      return isEnded.current ? .of(500) : await CredulousService.respond(to: request)
    }
    #expect(end == TokenError(.attackLost))
    #expect(results.map(\.variant.id) == ["signer/other-key", "signer/other-issuer"])
    #expect(results.last?.isUnplayed == true)
    #expect(end?.expected == "the person of an honest answer, as before the first variant")
  }

  @Test("A service that starts again is tested on")
  func startedAgain() async throws {
    let down = Mutexed(0)
    let (results, end, _) = try await play([
      "signer/other-key", "signer/other-issuer", "clock/an-hour-late",
    ]) { request in
      if AttackFixture.message(in: request.body)?.contains("/another") == true {
        down.withLock { $0 = 3 }
      }
      let isDown = down.withLock { rest -> Bool in
        defer { rest = max(0, rest - 1) }
        return rest > 0
      }
      return isDown ? .of(500) : await CredulousService.respond(to: request)
    }
    #expect(end == nil && results.count == 3)
  }

  @Test("An end by the limit of the file gives the results before it")
  func limit() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.mostSignIns = 6
    let fixture = try AttackFixture(configuration) { await CredulousService.respond(to: $0) }
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants([
      "signer/other-key", "signer/other-issuer", "content/subject",
    ])
    var results: [AttackResult] = []
    let end = try await run.play(variants) { _, _ in
    } take: {
      results.append($0)
    }
    #expect(end == TokenError(.attackLimit))
    #expect(results.count == 2)
  }

  @Test("Refusals between the last proof and the limit of the file are unproven")
  func limitUnproven() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.mostSignIns = 4
    let fixture = try AttackFixture(configuration) { request in
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? false
      return isOther ? .of(403) : await CredulousService.respond(to: request)
    }
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants([
      "signer/other-issuer", "signer/second-provider", "content/subject",
    ])
    var results: [AttackResult] = []
    let end = try await run.play(variants) { _, _ in
    } take: {
      results.append($0)
    }
    #expect(end == TokenError(.attackLimit))
    #expect(results.map(\.isUnproven) == [true, true])
  }

  @Test("A service that takes no answer about a session that has ended has nothing to replay")
  func sessionsEnd() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.logout = try HTTPURL(AttackFixture.service + "/slo")
    let ended = Mutexed<Set<String>>([])
    let fixture = try AttackFixture(configuration) { request in
      if request.path == "/acs", let text = AttackFixture.message(in: request.body),
        let name = text.firstMatch(of: /SessionIndex="([^"]*)"/)
      {
        guard !ended.current.contains(String(name.1)) else { return .of(403) }
        var response = await CredulousService.respond(to: request)
        try? response.fields.append("Set-Cookie", "index=\(name.1); Path=/")
        return response
      }
      if request.path == "/slo", let index = request.cookies["index"]?.revealed {
        ended.withLock { _ = $0.insert(index) }
      }
      return await CredulousService.respond(to: request)
    }
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants(["logout/unsigned", "logout/expired", "logout/replayed"])
    var verdicts: [AttackVerdict] = []
    for variant in variants { verdicts.append(try await run.play(variant).verdict) }
    let accepted = AttackVerdict.accepted(.named, isSteady: true)
    #expect(verdicts == [accepted, accepted, .refused])
  }
}
