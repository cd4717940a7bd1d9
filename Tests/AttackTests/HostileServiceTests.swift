import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("Services that do not answer as they should")
struct HostileServiceTests {
  private static func configuration() throws -> AttackConfiguration {
    try AttackFixture.configuration(start: "/login", probe: "/me")
  }

  private func verdict(_ id: String, _ fixture: AttackFixture) async throws -> AttackResult {
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants([id]).first)
    return try await run.play(variant)
  }

  /// A service that takes every answer and then redirects without end.
  private static let circling: AttackFixture.Service = { request in
    let response = await CredulousService.respond(to: request)
    guard request.path == "/acs" || request.path == "/circle" else { return response }
    guard request.path == "/acs", let cookie = response.fields["Set-Cookie"] else {
      return .redirect("/circle")
    }
    return .redirect("/circle", cookie: cookie)
  }

  @Test("A service that redirects without end never begins a sign-in, and that is told")
  func endlessStart() async throws {
    let fixture = try AttackFixture(Self.configuration()) { request in
      request.path == "/me" ? .of(401) : .redirect("/login?again")
    }
    var run = fixture.run
    await #expect(throws: TokenError(.attackNoRequest)) { try await run.control() }
    #expect(fixture.transport.requests.count == 26)
  }

  @Test("Who is signed in before the redirects without end is seen")
  func endlessEnd() async throws {
    let fixture = try AttackFixture(Self.configuration(), Self.circling)
    let result = try await verdict("signature/removed", fixture)
    #expect(result.verdict == .accepted(.named, isSteady: true))
    #expect(result.exchange.arrival.hasPrefix("redirected without end, last to http"))
  }

  @Test("A refusal that redirects without end is a refusal")
  func endlessRefusal() async throws {
    let fixture = try AttackFixture(Self.configuration()) { request in
      guard request.path == "/acs" else {
        return request.path == "/circle"
          ? .redirect("/circle") : await CredulousService.respond(to: request)
      }
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? true
      return isOther ? .redirect("/circle") : await CredulousService.respond(to: request)
    }
    #expect(try await verdict("signer/other-issuer", fixture).verdict == .refused)
  }

  @Test(
    "Who is signed in by a service that then does not answer is seen",
    arguments: [TokenError.Code.transportTimeout, .transportTooLarge])
  func unanswered(code: TokenError.Code) async throws {
    let isSilent = Mutexed(false)
    let service = SessionOfRequest()
    let fixture = try AttackFixture(
      Self.configuration(),
      failure: { isSilent.current && $0.path == "/acs" ? TokenError(code) : nil },
      { await service.respond(to: $0) })
    var run = fixture.run
    try await run.control()
    isSilent.withLock { $0 = true }
    let variant = try #require(try fixture.variants(["signature/removed"]).first)
    let result = try await run.play(variant)
    #expect(result.verdict == .accepted(.named, isSteady: true))
    #expect(result.exchange.arrival.hasPrefix(code.rawValue))
  }

  @Test("A service that does not answer, and signs no one in, was not tested")
  func silent() async throws {
    let isSilent = Mutexed(false)
    let fixture = try AttackFixture(
      Self.configuration(),
      failure: { isSilent.current && $0.path == "/acs" ? TokenError(.transportTimeout) : nil },
      { await CredulousService.respond(to: $0) })
    var run = fixture.run
    try await run.control()
    isSilent.withLock { $0 = true }
    let variant = try #require(try fixture.variants(["signature/removed"]).first)
    let result = try await run.play(variant)
    #expect(result.isUnplayed && result.count == 2)
  }

  @Test("What is kept of a variant that was let in once is what was let in")
  func keptExchange() async throws {
    let answers = Mutexed(0)
    let fixture = try AttackFixture(Self.configuration()) { request in
      guard request.path == "/acs" else { return await CredulousService.respond(to: request) }
      let count = answers.withLock { count -> Int in
        count += 1
        return count
      }
      return count > 3 ? .of(403) : await CredulousService.respond(to: request)
    }
    let result = try await verdict("signature/removed", fixture)
    #expect(result.verdict == .accepted(.named, isSteady: false))
    #expect(result.exchange.arrival.hasSuffix("/me, status 200"))
  }

  @Test(
    "A page that names another person is told, and one that only says that it did not work is not",
    arguments: [("You are root.", true), ("Choose a provider.", false)])
  func otherPage(page: String, isPerson: Bool) async throws {
    let fixture = try AttackFixture(Self.configuration()) { request in
      guard request.cookies["tried"] == nil || request.path != "/me" else {
        return .of(200, "text/html", page)
      }
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? false
      return isOther
        ? .redirect("/me", cookie: "tried=1; Path=/") : await CredulousService.respond(to: request)
    }
    let result = try await verdict("signer/other-issuer", fixture)
    #expect(result.verdict == (isPerson ? .accepted(.third, isSteady: true) : .refused))
  }

  @Test(
    "A third person is seen where the page has one status for all",
    arguments: ["<p>Signed out.</p>", "<p>You are guest.</p>"], [true, false])
  func thirdPerson(stranger: String, isRefused: Bool) async throws {
    let configuration = try AttackFixture.configuration(
      start: "/login", probe: "/me", contains: "You are PERSON.</p>")
    let fixture = try AttackFixture(configuration) { request in
      let isOther = AttackFixture.message(in: request.body)?.contains("/another") ?? false
      if isRefused, isOther { return .of(403) }
      var response = await CredulousService.respond(to: request)
      if isOther { try? response.fields.append("Set-Cookie", "other=1; Path=/") }
      guard request.path == "/me" else { return response }
      guard response.status == 200 else { return .of(200, "text/html", stranger) }
      let page = String(decoding: response.body, as: UTF8.self)
      return request.cookies["other"] == nil
        ? response : .of(200, "text/html", page.replacing(".</p>", with: ".evil.</p>"))
    }
    let result = try await verdict("signer/other-issuer", fixture)
    #expect(result.verdict == (isRefused ? .refused : .accepted(.third, isSteady: true)))
  }

  @Test("A service that restarts with closed connections is judged once it is there again")
  func restarts() async throws {
    let rest = Mutexed(0)
    let service = SessionOfRequest()
    let fixture = try AttackFixture(
      Self.configuration(),
      failure: { request in
        guard request.path == "/me" else { return nil }
        return rest.withLock { rest in
          guard rest > 0 else { return nil }
          rest -= 1
          return TokenError(.transportUnreachable)
        }
      },
      { request in
        if AttackFixture.message(in: request.body)?.contains("/another") == true {
          rest.withLock { $0 = 5 }
        }
        return await service.respond(to: request)
      })
    let result = try await verdict("signer/other-issuer", fixture)
    #expect(result.verdict == .accepted(.named, isSteady: true))
    let waits = fixture.clock.waits.filter { $0 >= .seconds(1) }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(1), .seconds(2)])
  }

  @Test("A service that stays away after an answer was not tested")
  func staysAway() async throws {
    let isAway = Mutexed(false)
    let fixture = try AttackFixture(
      Self.configuration(),
      failure: { _ in isAway.current ? TokenError(.transportUnreachable) : nil },
      { request in
        if AttackFixture.message(in: request.body)?.contains("/another") == true {
          isAway.withLock { $0 = true }
        }
        return await CredulousService.respond(to: request)
      })
    let result = try await verdict("signer/other-issuer", fixture)
    #expect(result.isUnplayed)
    #expect(fixture.clock.waits.contains(.seconds(8)))
  }

  @Test(
    "A page of another site to which a service leads after each sign-in is not that of the state")
  func ownPortal() async throws {
    let fixture = try AttackFixture(Self.configuration()) { request in
      let response = await CredulousService.respond(to: request)
      guard request.path == "/acs", let cookie = response.fields["Set-Cookie"] else {
        return response
      }
      return .redirect("https://portal.example/", cookie: cookie)
    }
    let result = try await verdict("state/other-site", fixture)
    #expect(result.verdict == .refused)
    #expect(result.exchange.arrival.contains("https://portal.example"))
  }

  @Test("A service that closes the connection on an address in the state was not tested")
  func closedForState() async throws {
    let fixture = try AttackFixture(
      Self.configuration(),
      failure: { request in
        let state = try? request.form["RelayState"]
        return state?.hasPrefix("https:") == true ? TokenError(.transportUnreachable) : nil
      },
      { request in
        let state = try? request.form["RelayState"]
        return state?.hasPrefix("https:") == true
          ? .of(403) : await CredulousService.respond(to: request)
      })
    #expect(try await verdict("state/other-site", fixture).isUnplayed)
  }

  @Test(
    "A service that begins no sign-in after a document that lies, or does not start, has refused it; one that breaks off, or asks to wait, was not tested",
    arguments: [(500, false), (403, false), (0, false), (429, true), (nil, true)] as [(Int?, Bool)])
  func afterDocument(status: Int?, isUnplayed: Bool) async throws {
    var configuration = try Self.configuration()
    configuration.rereading = AttackConfiguration.Rereading(
      try HTTPURL(AttackFixture.service + "/reread"), seconds: 1)
    let provider = Mutexed<RogueProvider?>(nil)
    // Each second reading finds the honest document.
    let readings = Mutexed(0)
    let fixture = try AttackFixture(
      configuration,
      failure: { request in
        guard request.path == "/login", readings.current % 2 == 1 else { return nil }
        // 0 for a port at which nothing listens.
        if status == 0 { return TokenError(.transportNoConnection) }
        return status == nil ? TokenError(.transportUnreachable) : nil
      },
      { request in
        if request.path == "/reread" {
          readings.withLock { $0 += 1 }
          return provider.current?.respond(to: .get("/metadata"), at: AdvancingTime().now)
            ?? .of(500)
        }
        if let status, request.path == "/login", readings.current % 2 == 1 { return .of(status) }
        return await CredulousService.respond(to: request)
      })
    provider.withLock { $0 = fixture.provider }
    let result = try await verdict("metadata/other-role", fixture)
    #expect(result.isUnplayed == isUnplayed && (isUnplayed || result.verdict == .refused))
  }

  @Test(
    "An address of another site in the state is not followed, and that the browser is sent there is told"
  )
  func foreignState() async throws {
    let fixture = try AttackFixture(Self.configuration()) { request in
      let response = await CredulousService.respond(to: request)
      guard request.path == "/acs", let cookie = response.fields["Set-Cookie"],
        let state = try? request.form["RelayState"], state.hasPrefix("https:")
      else { return response }
      return .redirect(state, cookie: cookie)
    }
    let result = try await verdict("state/other-site", fixture)
    #expect(result.verdict == .accepted(.led, isSteady: true))
    #expect(result.severity == .warning)
    let origins = fixture.transport.requests.map(\.url.origin.description)
    #expect(origins.allSatisfy { $0 == AttackFixture.service })
  }
}

/// A service that begins a session with the request and keeps in it who signs in, as many do: no cookie of the answer is needed.
private actor SessionOfRequest {
  private var people: [String: String] = [:]
  private var count = 0

  func respond(to request: WebRequest) async -> HTTPResponse {
    let session = request.cookies["kept"]?.revealed
    switch request.path {
    case "/login":
      count += 1
      let begun = await CredulousService.respond(to: request)
      return .redirect(begun.fields["Location"] ?? "", cookie: "kept=\(count); Path=/")
    case "/acs":
      let name = AttackFixture.message(in: request.body)?.firstMatch(of: /NameID[^>]*>([^<]*)</)
      if let session, let name { people[session] = String(name.1) }
      return .redirect("/me")
    default:
      guard let person = session.flatMap({ people[$0] }) else { return .of(401) }
      return .of(200, "text/html", "<p>You are \(person).</p>")
    }
  }
}
