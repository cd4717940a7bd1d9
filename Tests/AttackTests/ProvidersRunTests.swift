import HTTPExchange
import SignIn
import SignInAttack
import TestSupport
import Testing

@Suite("Two providers, documents that lie, and requests for logout")
struct ProvidersRunTests {
  private static let protocols = AttackConfiguration.SignInProtocol.allCases
  private static let families = [
    "mix-up/", "keys/", "discovery/", "metadata/", "logout/", "front-channel-logout/",
  ]

  private static func chosen(_ fixture: AttackFixture) throws -> [AttackVariant] {
    try VariantList.all(of: fixture.provider).filter { variant in
      families.contains { variant.id.hasPrefix($0) }
    }
  }

  @Test("The sign-in of this package refuses all of them", arguments: protocols)
  func refused(name: AttackConfiguration.SignInProtocol) async throws {
    let fixture = try AttackFixture.site(name, isWhole: true)
    var run = fixture.run
    try await run.control()
    let variants = try Self.chosen(fixture)
    #expect(variants.count == (name == .saml20 ? 15 : name == .wsFederation ? 7 : 26))
    for variant in variants {
      let result = try await run.play(variant)
      #expect(result.verdict == .refused, "\(variant.id): \(result.verdict)")
    }
  }

  @Test("A client that believes what it reads is found by each of them")
  func credulousClient() async throws {
    let fixture = try Self.credulousClient()
    var run = fixture.run
    try await run.control()
    let variants = try Self.chosen(fixture)
    #expect(variants.count == 28)
    for variant in variants {
      let result = try await run.play(variant)
      #expect(result.isAccepted, "\(variant.id): \(result.verdict)")
      #expect(result.count == 2)
      if variant.id == "mix-up/code" {
        #expect(result.verdict == .accepted(.asked, isSteady: true) && result.severity == .error)
      }
    }
  }

  @Test("A service of SAML that reads whatever it gets is found by each of them")
  func credulousService() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.second = try HTTPURL(AttackFixture.service + "/login-at-second")
    configuration.logout = try HTTPURL(AttackFixture.service + "/slo")
    configuration.rereading = AttackConfiguration.Rereading(
      try HTTPURL(AttackFixture.service + "/reread"), seconds: 1)
    let provider = Mutexed<RogueProvider?>(nil)
    let fixture = try AttackFixture(configuration) { request in
      guard request.path == "/reread" else { return await CredulousService.respond(to: request) }
      let time = AdvancingTime().now
      return provider.current?.respond(to: .get("/metadata"), at: time) ?? .of(500)
    }
    provider.withLock { $0 = fixture.provider }
    var run = fixture.run
    try await run.control()
    let variants = try Self.chosen(fixture)
    #expect(variants.count == 15)
    for variant in variants {
      let result = try await run.play(variant)
      #expect(result.isAccepted, "\(variant.id): \(result.verdict)")
    }
  }

  @Test("A service that fetches what a token names, and refuses it, is told")
  func asked() async throws {
    let holder = Mutexed<RogueProvider?>(nil)
    let isRefusing = Mutexed(false)
    let fixture = try AttackFixture(Self.clientConfiguration()) { request in
      guard let provider = holder.current else { return .of(500) }
      let response = Self.client(provider).respond(to: request)
      return request.path == "/callback" && isRefusing.current ? .of(403) : response
    }
    holder.withLock { $0 = fixture.provider }
    var run = fixture.run
    try await run.control()
    isRefusing.withLock { $0 = true }
    let variant = try #require(try fixture.variants(["keys/jku"]).first)
    let result = try await run.play(variant)
    #expect(result.verdict == .accepted(.asked, isSteady: true))
    #expect(result.severity == .warning)
  }

  @Test(
    "Variants that need a second provider, a second reading or an address for logout are left out without"
  )
  func leftOut() throws {
    for name in Self.protocols {
      let fixture = try AttackFixture.site(name)
      let ids = try Self.chosen(fixture).map(\.id)
      #expect(ids.allSatisfy { $0.hasPrefix("keys/") })
    }
  }

  @Test("A service that does not read its provider again proves nothing about documents")
  func unread() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.rereading = AttackConfiguration.Rereading(nil, seconds: 2)
    let fixture = try AttackFixture(configuration) { await CredulousService.respond(to: $0) }
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["metadata/other-role"]).first)
    #expect(
      try await run.play(variant).verdict
        == .inapplicable("the service did not read the document again"))
  }

  @Test("A second provider that the service does not trust proves nothing")
  func untrusted() async throws {
    var configuration = try AttackFixture.configuration(start: "/login", probe: "/me")
    configuration.second = try HTTPURL(AttackFixture.service + "/login-at-second")
    let fixture = try AttackFixture(configuration) { request in
      guard request.path == "/acs", let text = AttackFixture.message(in: request.body),
        text.contains(AttackFixture.issuer + "/second")
      else { return await CredulousService.respond(to: request) }
      return .of(403)
    }
    var run = fixture.run
    try await run.control()
    let variant = try #require(try fixture.variants(["mix-up/in-first-name"]).first)
    guard case .unplayed = try await run.play(variant).verdict else {
      Issue.record("it was played")
      return
    }
  }

  // MARK: Services

  private static let clients = Mutexed<[ObjectIdentifier: CredulousClient]>([:])

  private static func client(_ provider: RogueProvider) -> CredulousClient {
    clients.withLock { clients in
      let client = clients[ObjectIdentifier(provider)] ?? CredulousClient(provider)
      clients[ObjectIdentifier(provider)] = client
      return client
    }
  }

  private static func clientConfiguration() throws -> AttackConfiguration {
    var configuration = try AttackFixture.configuration(.openID, start: "/login", probe: "/me")
    configuration.second = try HTTPURL(AttackFixture.service + "/login-at-second")
    configuration.logout = try HTTPURL(AttackFixture.service + "/logout")
    configuration.frontChannelLogout = try HTTPURL(AttackFixture.service + "/frame")
    configuration.rereading = AttackConfiguration.Rereading(
      try HTTPURL(AttackFixture.service + "/reread"), seconds: 1)
    return configuration
  }

  private static func credulousClient() throws -> AttackFixture {
    let holder = Mutexed<RogueProvider?>(nil)
    let fixture = try AttackFixture(clientConfiguration()) { request in
      guard let provider = holder.current else { return .of(500) }
      return client(provider).respond(to: request)
    }
    holder.withLock { $0 = fixture.provider }
    return fixture
  }
}
