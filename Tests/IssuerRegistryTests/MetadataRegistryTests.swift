import IssuerRegistry
import RegistryTesting
import Synchronization
import TestSupport
import Testing

@Suite("One address, many callers")
struct MetadataRegistryTests {
  /// Holds each request until a test opens the gate.
  final class GatedServer: HTTPTransport {
    let requests = Mutex(0)
    private let gate: AsyncStream<Void>
    private let opener: AsyncStream<Void>.Continuation
    private let body: [UInt8]

    init(_ body: [UInt8]) {
      self.body = body
      (gate, opener) = AsyncStream.makeStream()
    }

    func open() { opener.finish() }

    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      requests.withLock { $0 += 1 }
      for await _ in gate {}
      return HTTPResponse(status: 200, body: body)
    }
  }

  @Test("A thousand tokens before the first key cause one request")
  func singleFlight() async throws {
    let server = GatedServer(TestVector.bytes("metadata/published-current.xml"))
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    let registry = MetadataRegistry(
      try RefreshStory.source(HTTPURL("https://idp.example/")), transport: server, clock: time)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 {
        group.addTask { try await registry.trust(at: time.now).issuers.count }
      }
      while server.requests.withLock({ $0 }) == 0 { await Task.yield() }
      server.open()
      return try await group.reduce(0, +)
    }
    #expect(counts == 1000)
    #expect(server.requests.withLock { $0 } == 1)
  }

  @Test("DOS-20 Tokens with unknown keys cause no request, however many arrive")
  func unknownKeys() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    try await story.meet(.current)
    let requests = server.conditions.count
    for _ in 0..<100 {
      #expect(try await story.verdict("evil-rsa") == "signature.invalid")
      #expect(try await story.verdict("idp-rsa") == nil)
    }
    #expect(server.conditions.count == requests)
  }

  @Test("While backing off nothing is fetched, and the error is thrown immediately")
  func backOff() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    for _ in 0..<100 { #expect(try await story.verdict("idp-rsa") == "registry.unavailable") }
    #expect(server.conditions.count == 1)
    story.time.advance(bySeconds: 2)
    #expect(try await story.verdict("idp-rsa") == "registry.unavailable")
    #expect(server.conditions.count == 2)
    #expect(try story.health.consecutiveFailures == 2)
  }

  @Test("A due fetch runs in the background; callers do not wait")
  func background() async throws {
    let server = GatedServer(TestVector.bytes("metadata/published-current.xml"))
    let scripted = try ScriptedServer()
    let story = try RefreshStory(scripted, over: Switching(scripted, server))
    try await story.meet(.current)
    story.time.advance(bySeconds: 3600)
    // From now on the gate holds every response back.
    for _ in 0..<10 { #expect(try await story.verdict("idp-rsa") == nil) }
    while server.requests.withLock({ $0 }) == 0 { await Task.yield() }
    #expect(try await story.verdict("idp-rsa") == nil)
    #expect(server.requests.withLock { $0 } == 1)
    server.open()
    await story.registry.refresh()
    #expect(try story.health.lastSuccess == story.time.now)
  }

  /// The first server once, then the second.
  final class Switching: HTTPTransport {
    private let first: any HTTPTransport
    private let second: any HTTPTransport
    private let isUsed = Mutex(false)

    init(_ first: any HTTPTransport, _ second: any HTTPTransport) {
      self.first = first
      self.second = second
    }

    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      let used = isUsed.withLock { isUsed in
        defer { isUsed = true }
        return isUsed
      }
      return try await (used ? second : first).response(to: request)
    }
  }

  @Test("The running registry refreshes without calls, and ends when it is cancelled")
  func run() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    server.serve(.current)
    let running = Task { await story.registry.run() }
    for requests in 1...5 {
      while story.time.waiting == 0 { await Task.yield() }
      #expect(server.conditions.count == requests)
      story.time.set(try #require(try story.health.nextRefresh))
    }
    running.cancel()
    await running.value
    #expect(try story.health.status == .good)
  }

  @Test("A confirmation after validUntil does not restore trust")
  func lateConfirmation() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    try await story.meet(.current)
    // A 304 confirms the document, not the time.
    story.time.set(try Instant(dateTime: "2030-01-08T12:00:00Z"))
    server.serve(.notModified)
    await story.registry.refresh()
    #expect(try await story.verdict("idp-rsa") == "registry.trust-expired")
    #expect(server.conditions.last == "")
    #expect(try story.health.lastError?.code == .transportStatus)
  }

  @Test("Metadata without an end is used for 31 days after the server last confirmed it (META-4)")
  func longestUse() async throws {
    let time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    let server = GatedServer(TestVector.bytes("metadata/entity.xml"))
    server.open()
    let scripted = try ScriptedServer()
    let registry = MetadataRegistry(
      MetadataSource(
        try HTTPURL("https://idp.example/"), entityID: "https://idp.example/idp", proof: .server),
      transport: Switching(server, scripted), clock: time)
    _ = try await registry.trust(at: time.now)
    time.advance(bySeconds: 31 * 86_400 - 1)
    #expect(registry.readyTrust(at: time.now) != nil)
    time.advance(bySeconds: 1)
    #expect(registry.readyTrust(at: time.now) == nil)
    await #expect(throws: TokenError(.registryTrustExpired)) {
      try await registry.trust(at: time.now)
    }
  }

  @Test("Neither errors nor health nor activities show the address's query (RP-9)")
  func secrets() async throws {
    let observer = RecordingObserver()
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server, observer: observer)
    var texts: [String] = []
    do {
      _ = try await story.registry.trust(at: story.time.now)
    } catch {
      texts.append(String(reflecting: error))
    }
    for served in [ServedMetadata.current] + ServedMetadata.faults {
      try await story.meet(served)
      texts.append(String(reflecting: try story.health))
    }
    texts += observer.lines
    #expect(observer.lines.contains { $0.hasPrefix("registry.accepted") })
    #expect(observer.lines.contains { $0.contains("code=registry.rollback") })
    #expect(texts.count > 40)
    #expect(texts.filter { $0.contains("hidden") } == [])
  }
}
