#if Client
  import FederationNetwork
  import HTTPExchange
  import InMemoryLogging
  import InMemoryTracing
  import Logging
  import MetricsTestKit
  import Synchronization
  import TestSupport
  import Testing
  import TokenBasics
  import Tracing

  /// All visible output of a story: log lines, metrics, spans, errors, descriptions. In the end
  /// it is searched for every secret of the story.
  final class Evidence: Sendable {
    private struct State {
      var texts: [String] = []
      var secrets: Set<String> = []
    }

    private let log = InMemoryLogHandler()
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer()
    private let state = Mutex(State())

    /// The observer of the client.
    var observer: FederationTelemetry {
      FederationTelemetry(
        logger: Logger(label: "story") { [log] _ in
          var handler = MultiplexLogHandler([log, SecrecyLogHandler()])
          handler.logLevel = .trace
          return handler
        }, metrics: metrics, tracer: tracer)
    }

    /// Records all descriptions of a value.
    func add(_ value: Any) {
      Secrecy.see(value)
      var dumped = ""
      dump(value, to: &dumped)
      let texts = ["\(value)", String(reflecting: value), dumped]
      state.withLock { $0.texts += texts }
    }

    /// The secrets. Short words would be found by chance.
    func hide(_ secrets: String...) { hide(secrets) }

    func hide(_ secrets: [String]) {
      for secret in secrets { Secrecy.hide(secret) }
      state.withLock { state in
        for secret in secrets where secret.utf8.count >= 8 { state.secrets.insert(secret) }
      }
    }

    /// Records the error of a closure, which must throw the code.
    func expect<Value>(
      _ code: TokenError.Code, _ body: () async throws -> Value,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      do {
        _ = try await body()
        Issue.record("nothing was thrown, \(code) was expected", sourceLocation: sourceLocation)
      } catch {
        add(error)
        #expect((error as? TokenError)?.code == code, "\(error)", sourceLocation: sourceLocation)
      }
    }

    /// The number of lines and spans with that name.
    func spans(_ name: String) -> Int {
      tracer.finishedSpans.count { $0.operationName == name }
    }

    /// The lines of the logs, the spans and the metrics.
    private var watched: [String] {
      var shown: [String] = []
      for entry in log.entries {
        shown.append("\(entry.message) \(entry.metadata)")
      }
      for span in tracer.finishedSpans {
        shown.append("\(span.operationName) \(span.status.map { "\($0)" } ?? "")")
        span.attributes.forEach { key, value in shown.append("\(key) \(value)") }
      }
      for counter in metrics.counters { shown.append("\(counter.label) \(counter.dimensions)") }
      for timer in metrics.timers { shown.append("\(timer.label) \(timer.dimensions)") }
      return shown
    }

    // For the search of the whole run, also after stories without a search of their own.
    deinit {
      for line in watched { Secrecy.see(line: line) }
    }

    /// Searches all recorded text for all secrets.
    func search(_ story: String, sourceLocation: SourceLocation = #_sourceLocation) {
      var shown = watched
      let lines = shown.count
      let (texts, secrets) = state.withLock { ($0.texts, $0.secrets) }
      shown += texts
      var found: [String] = []
      for secret in secrets {
        for text in shown where text.contains(secret) { found.append("\(secret): \(text)") }
      }
      #expect(found == [], sourceLocation: sourceLocation)
      #expect(!secrets.isEmpty, sourceLocation: sourceLocation)
      print(
        "secrecy, \(story): \(secrets.count) secrets in \(lines) lines of logs, metrics and spans "
          + "and \(texts.count) descriptions: \(found.count) found")
    }
  }
#endif
