#if Client
  import FederationNetwork
  import HTTPExchange
  import InMemoryLogging
  import InMemoryTracing
  import IssuerRegistry
  import Logging
  import MetricsTestKit
  import RegistryTesting
  import SecrecyTesting
  import TestSupport
  import Testing
  import TokenBasics
  import Tracing

  @Suite("Logs, metrics and traces")
  struct TelemetryTests {
    let log = InMemoryLogHandler()
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()

    var telemetry: FederationTelemetry {
      FederationTelemetry(
        logger: Logger(label: "test") { _ in
          var handler = log
          handler.logLevel = .trace
          return handler
        }, metrics: metrics, tracer: tracer)
    }

    static let source = ("source", "https://idp.example/metadata?…")

    @Test("An activity is a span, a timer, a counter and a line in the log")
    func during() async throws {
      let value = try await telemetry.during(Activity("session.renew", [("source", "a")])) {
        () throws(TokenError) -> Int in 7
      }
      #expect(value == 7)
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.operationName == "session.renew")
      #expect(span.attributes["source"]?.toSpanAttribute() == "a")
      #expect(span.status == nil)
      let dimensions = [("source", "a"), ("outcome", "ok")]
      #expect(try metrics.expectTimer("federation.session.renew", dimensions).values.count == 1)
      #expect(
        try metrics.expectCounter("federation.session.renew.total", dimensions).totalValue == 1)
      #expect(log.entries.map(\.level) == [.debug])
    }

    @Test("A failed activity names its code everywhere, and its spans nest")
    func failure() async throws {
      let telemetry = telemetry
      await expect(throws: TokenError(.transportTimeout)) {
        try await telemetry.during(Activity("outer")) { () throws(TokenError) in
          try await telemetry.during(Activity("inner")) { () throws(TokenError) in
            throw TokenError(.transportTimeout, node: "GET https://idp.example/?…")
          }
        }
      }
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["inner", "outer"])
      #expect(spans.first?.parentSpanID == spans.last?.spanID)
      #expect(spans.allSatisfy { $0.status?.code == .error })
      #expect(spans.first?.attributes["error.type"]?.toSpanAttribute() == "transport.timeout")
      #expect(
        try metrics.expectCounter(
          "federation.inner.total", [("outcome", "transport.timeout")]
        ).totalValue == 1)
      #expect(log.entries.map(\.level) == [.warning, .warning])
      #expect(log.entries.first?.metadata["code"] == "transport.timeout")
    }

    @Test(
      "A span is a child of the caller's, which traceparent names, and what is sent meanwhile names the span"
    )
    func parent() async throws {
      let tracer = InMemoryTracer(idGenerator: W3CTracer.identifiers)
      let telemetry = FederationTelemetry(
        logger: Logger(label: "test") { _ in log }, metrics: metrics, tracer: W3CTracer(tracer))
      let asked = try TraceContext(
        HTTPFields([("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]))
      let sent = Mutexed([String?]())
      let transport = ObservedTransport(
        ScriptedTransport { (request) throws(TokenError) in
          sent.withLock { $0.append(request.sentFields["traceparent"]) }
          return HTTPResponse(status: 200)
        }, observer: telemetry)
      let request = HTTPRequest(.get, try HTTPURL("https://idp.example/token?code=hidden"))
      try await TraceContext.$current.withValue(asked) {
        try await telemetry.during(Activity("gate.check", side: .server)) {
          () async throws(TokenError) in
          telemetry.happened(Activity("gate.refused", [("code", "gate.forbidden")]))
          _ = try await transport.response(to: request)
        }
      }
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["http.request", "gate.check"])
      let (fetch, check) = (try #require(spans.first), try #require(spans.last))
      #expect(check.parentSpanID == "00f067aa0ba902b7" && check.kind == .server)
      #expect(check.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
      #expect(fetch.parentSpanID == check.spanID && fetch.kind == .client)
      #expect(fetch.attributes["server"]?.toSpanAttribute() == "idp.example")
      #expect(sent.current == ["00-\(fetch.traceID)-\(fetch.spanID)-01"])
      #expect(
        log.entries.first { $0.message == "gate.refused" }?.metadata["trace"]
          == "4bf92f3577b34da6a3ce929d0e0e4736")
      #expect(!spans.contains { "\($0)".contains("hidden") })
    }

    @Test("A tracer that does not speak W3C Trace Context hands the caller's on")
    func otherTracer() async throws {
      let telemetry = telemetry
      let asked = try TraceContext(
        HTTPFields([("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]))
      let inside = try await TraceContext.$current.withValue(asked) {
        try await telemetry.during(Activity("gate.check", side: .server)) {
          () throws(TokenError) in TraceContext.current
        }
      }
      #expect(inside == asked)
    }

    @Test("A registry's activities appear in counters and gauges, without a secret (RP-9)")
    func registry() async throws {
      let server = try ScriptedServer()
      let story = try RefreshStory(server, over: server, observer: telemetry)
      try await story.meet(.current)
      try await story.meet(.forged)
      try await story.meet(.slow)
      let source = Self.source
      #expect(try metrics.expectCounter("federation.registry.accepted", [source]).totalValue == 1)
      #expect(
        try metrics.expectCounter(
          "federation.registry.refused", [source, ("code", "signature.invalid")]
        ).totalValue == 1)
      #expect(
        try metrics.expectRecorder("federation.registry.consecutive-failures", [source]).values
          == [0, 1, 2])
      #expect(try metrics.expectRecorder("federation.registry.issuers", [source]).lastValue == 1)
      #expect(try metrics.expectRecorder("federation.registry.age", [source]).lastValue == 3422)
      #expect(
        try metrics.expectTimer(
          "federation.registry.refresh", [source, ("outcome", "transport.timeout")]
        ).values.count == 1)
      #expect(
        tracer.finishedSpans.map(\.operationName) == [
          "registry.refresh", "registry.refresh", "registry.refresh",
        ])
      #expect(
        log.entries.contains { $0.level == .warning && $0.metadata["code"] == "signature.invalid" })

      var texts = log.entries.map { "\($0)" }
      texts += tracer.finishedSpans.map { span in
        var text = "\(span)"
        span.attributes.forEach { text += "\($0)=\($1)" }
        return text
      }
      texts += (metrics.counters.map { "\($0.label) \($0.dimensions)" })
      texts += metrics.recorders.map { "\($0.label) \($0.dimensions)" }
      texts += metrics.timers.map { "\($0.label) \($0.dimensions)" }
      #expect(texts.count > 15)
      #expect(texts.filter { $0.contains("hidden") } == [])
    }
  }
#endif
