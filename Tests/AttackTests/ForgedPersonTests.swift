import HTTPExchange
import SignInAttack
import TestSupport
import Testing
import TokenBasics

@Suite("Whom forged parts name")
struct ForgedPersonTests {
  /// Alice and mallory alone have an account at the service.
  private static func isKnown(_ response: HTTPResponse) -> Bool {
    let page = String(decoding: response.body, as: UTF8.self)
    return page.contains("You are alice.") || page.contains("You are mallory.")
  }

  private static func configuration(
    _ name: AttackConfiguration.SignInProtocol
  ) throws -> AttackConfiguration {
    var configuration = try AttackFixture.configuration(name, start: "/login", probe: "/me")
    configuration.usesCanaries = false
    return configuration
  }

  private func verdicts(
    _ ids: [String], _ fixture: AttackFixture
  ) async throws -> [AttackVerdict] {
    var run = fixture.run
    try await run.control()
    let variants = try fixture.variants(ids)
    #expect(variants.count == ids.count)
    return try await variants.asyncMap { try await run.play($0).verdict }
  }

  @Test("What is forged names the attacker of the file")
  func saml() async throws {
    let fixture = try AttackFixture(Self.configuration(.saml20)) { request in
      let response = await CredulousService.respond(to: request)
      return request.path == "/me" && !Self.isKnown(response) ? .of(401) : response
    }
    let verdicts = try await verdicts(["wrapping/first-unsigned", "content/subject"], fixture)
    #expect(verdicts == Array(repeating: .accepted(.attacker, isSteady: true), count: 2))
  }

  @Test("So does a forged ID token")
  func openID() async throws {
    let client = Mutexed<CredulousClient?>(nil)
    let fixture = try AttackFixture(Self.configuration(.openID)) { request in
      guard let response = client.current?.respond(to: request) else { return .of(500) }
      return request.path == "/me" && !Self.isKnown(response) ? .of(401) : response
    }
    client.withLock { $0 = CredulousClient(fixture.provider) }
    let verdicts = try await verdicts(["payload/sub"], fixture)
    #expect(verdicts == [.accepted(.attacker, isSteady: true)])
  }

  @Test(
    "A name with signs of the format is written as text of it",
    arguments: [
      AttackConfiguration.SignInProtocol.saml20, .openID,
    ])
  func escaped(name: AttackConfiguration.SignInProtocol) throws {
    let plain = try AttackFixture.configuration(name)
    let configuration = AttackConfiguration(
      name, listen: plain.listen, origin: plain.origin, start: plain.start, probe: plain.probe,
      person: plain.person, attacker: "\"<m&m>")
    let provider = RogueProvider(configuration, try AttackFixture.keys.get())
    var request = SignInRequest(consumer: plain.start, audience: "app")
    request.id = "_request"
    var plan = AnswerPlan("alice")
    plan.mutation = name == .openID ? "payload/sub" : "content/subject"
    let made = try #require(try provider.answer(to: request, plan, at: AdvancingTime().now))
    let shown = String(decoding: made.shown, as: UTF8.self)
    if name == .saml20 {
      #expect(shown.contains("&lt;m&amp;m&gt;</") && !shown.contains("<m&m>"))
    } else {
      let payload = shown.split(separator: ".")[1]
      let octets = try Base64.decode(Array(payload.utf8).span, .url)
      #expect(try JSONParser.parse(octets)["sub"]?.string == "\"<m&m>")
    }
  }
}
