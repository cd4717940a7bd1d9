import HTTPExchange
import IdentityProviderTesting
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Boundaries around dependencies")
struct BoundaryTests {
  let time = ManualTime()

  private func dependencies(calls: Int = 2, queue: Int = 1) -> Dependencies {
    var limits = DependencyLimits()
    limits.calls = calls
    limits.queue = queue
    return Dependencies(limits, clock: time)
  }

  private func request() throws -> HTTPRequest {
    HTTPRequest(.get, try HTTPURL("https://idp.example/token"))
  }

  private func code(_ transport: BoundedTransport) async throws -> TokenError.Code? {
    let request = try request()
    return await refusalCode { _ = try await transport.response(to: request) }
  }

  private func report(_ dependencies: Dependencies, _ name: String) throws -> DependencyReport {
    try #require(dependencies.reports.first { $0.dependency == Dependency(.provider, name) })
  }

  /// Answers once it is opened.
  private final class Held: HTTPTransport {
    private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>(
      (false, []))

    func open() {
      let waiters = state.withLock { state in
        state.isOpen = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiters.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
      return HTTPResponse(status: 200)
    }
  }

  @Test("Calls beyond the limit and the queue are refused at once; the others are answered")
  func busy() async throws {
    let dependencies = dependencies()
    let held = Held()
    let slow = dependencies.boundary(.provider, "slow", over: held)
    let calls = try (0..<3).map { _ in
      let request = try request()
      return Task { try await slow.response(to: request).status }
    }
    while try report(dependencies, "slow").running < 2
      || report(dependencies, "slow").waiting < 1
    { await Task.yield() }
    #expect(try await code(slow) == .transportBusy)
    // Another dependency has its own limits.
    let well = dependencies.boundary(
      .provider, "well", over: ScriptedTransport { _ in HTTPResponse(status: 200) })
    #expect(try await code(well) == nil)
    held.open()
    for call in calls { #expect(try await call.value == 200) }
    #expect(try report(dependencies, "slow").outcomes == ["ok": 3])
    #expect(try await code(slow) == nil)
  }

  @Test("A call that waits for too long in the queue ends with a timeout")
  func queueLimit() async throws {
    let dependencies = dependencies(calls: 1)
    let held = Held()
    let slow = dependencies.boundary(.provider, "slow", over: held)
    let request = try request()
    let first = Task { try await slow.response(to: request).status }
    while try report(dependencies, "slow").running < 1 { await Task.yield() }
    let second = Task { await refusalCode { _ = try await slow.response(to: request) } }
    while time.waiting == 0 { await Task.yield() }
    time.advance(bySeconds: 10)
    #expect(await second.value == .transportTimeout)
    held.open()
    #expect(try await first.value == 200)
  }

  @Test("Five calls without an answer pause a dependency, and the first answer ends the pause")
  func pause() async throws {
    let isAway = Mutexed(true)
    let transport = ScriptedTransport { (_) throws(TokenError) in
      if isAway.current { throw TokenError(.transportTimeout) }
      return HTTPResponse(status: 200)
    }
    let dependencies = dependencies()
    let boundary = dependencies.boundary(.provider, "op", over: transport)
    for _ in 0..<5 { #expect(try await code(boundary) == .transportTimeout) }
    for _ in 0..<100 { #expect(try await code(boundary) == .transportPaused) }
    #expect(transport.requests.count == 5)
    #expect(try report(dependencies, "op").isPaused)
    time.advance(bySeconds: 2)
    #expect(try await code(boundary) == .transportTimeout)
    #expect(try await code(boundary) == .transportPaused)
    isAway.withLock { $0 = false }
    time.advance(bySeconds: 2)
    #expect(try await code(boundary) == nil)
    #expect(try await code(boundary) == nil)
    let report = try report(dependencies, "op")
    #expect(!report.isPaused && report.failures == 0 && report.since == nil)
  }

  @Test("Errors that the server answers are counted and pause nothing")
  func answeredErrors() async throws {
    let transport = ScriptedTransport { _ in HTTPResponse(status: 500) }
    let dependencies = dependencies()
    let boundary = dependencies.boundary(.provider, "op", over: transport)
    for _ in 0..<12 { #expect(try await code(boundary) == nil) }
    let report = try report(dependencies, "op")
    #expect(!report.isPaused && report.failures == 12 && report.since == time.now)
    #expect(report.outcomes == ["5xx": 12] && report.lastFailure == "status 500")
  }

  @Test("A service that takes the place of another one knows what that one knew")
  func replacement() async throws {
    let former = dependencies()
    let transport = ScriptedTransport { (_) throws(TokenError) in
      throw TokenError(.transportNoConnection)
    }
    let first = former.boundary(.provider, "op", over: transport)
    for _ in 0..<5 { #expect(try await code(first) == .transportNoConnection) }
    let next = Dependencies(clock: time, replacing: former)
    #expect(next.reports.isEmpty)
    let second = next.boundary(.provider, "op", over: transport)
    #expect(try await code(second) == .transportPaused)
    #expect(next.reports.count == 1)
  }

  @Test("Documents may take as long as they say; other calls take ten seconds")
  func documents() async throws {
    let transport = ScriptedTransport { _ in HTTPResponse(status: 200) }
    let boundary = dependencies().boundary(.provider, "op", over: transport)
    #expect(try await code(boundary) == nil)
    #expect(try await code(boundary.forDocuments) == nil)
    #expect(transport.requests.map(\.timeout) == [.seconds(10), .seconds(30)])
  }
}
