import GateService
import IdentityProviderTesting
import TestSupport
import Testing

/// What a tracer makes spans of: the activities of the gate, in the trace of the request (W3C Trace Context).
@Suite("The trace of what the gate does")
struct TraceTests {
  /// Notes each activity with its side and the trace that it runs in.
  private struct Spans: ActivityObserver {
    let seen = Mutexed([String]())

    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value {
      seen.withLock {
        $0.append("\(activity.name) \(activity.side) \(TraceContext.current?.text ?? "none")")
      }
      return try await body()
    }

    func happened(_ activity: Activity) {
      seen.withLock { $0.append("\(activity.name) \(TraceContext.current?.text ?? "none")") }
    }

    func measured(_ activity: Activity, value: Double) {}
  }

  private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private let spans = Spans()
  private let gate: Gate

  init() throws {
    let clock = ManualTime()
    gate = Gate(
      site: try IdentityProviderSimulator().site(clock: clock, observer: spans), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([]), headers: IdentityHeaders([]),
      people: .shared, observer: spans)
  }

  private func ask(_ path: String, _ fields: [(String, String)]) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(method: "GET", path: path, fields: try HTTPFields(fields)), from: "127.0.0.1")
  }

  private static let judged = [("X-Original-URI", "/"), ("X-Original-Method", "GET")]

  @Test("A check and a sign-in are activities that answer, in the trace of their request")
  func activities() async throws {
    let traced = [("traceparent", Self.trace)]
    #expect(try await ask("/.gate/check", Self.judged + traced).status == 401)
    #expect(try await ask("/.gate/sign-in", traced).status == 303)
    #expect(try await ask("/.gate/check", Self.judged).status == 401)
    #expect(
      spans.seen.current == [
        "gate.check server \(Self.trace)", "signin.begin server \(Self.trace)",
        "gate.check server none",
      ])
  }

  @Test("A refusal is an event of that trace; what the caller's header cannot be read as is none")
  func refusal() async throws {
    #expect(try await ask("/.gate/check", [("traceparent", Self.trace)]).status == 503)
    #expect(
      try await ask("/.gate/check", [("traceparent", "00-" + "x" + Self.trace.dropFirst(4))]).status
        == 503)
    #expect(
      spans.seen.current == [
        "gate.check server \(Self.trace)", "gate.refused \(Self.trace)",
        "gate.check server none", "gate.refused none",
      ])
  }
}
