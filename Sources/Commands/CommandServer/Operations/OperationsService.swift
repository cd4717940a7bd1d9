#if Server
  import CommandSupport
  import HTTPExchange
  import Logging
  import NIOCore
  import SignIn
  import TokenBasics

  /// Answers `/live`, `/ready`, `/health` and `/metrics`, at an address of their own.
  ///
  /// `/live` is 200 as long as the process answers: only a failure there calls for a restart. `/ready` and `/health` are 503 while
  /// nobody can sign in or be checked, and say why.
  struct OperationsService<Assembly: ServedAssembly>: WebService {
    let assembly: Assembly

    var bodyLimit: Int { assembly.bodyLimit }

    func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
      let now = SystemTime().now
      switch request.path {
      case "/live": return Self.text(200, "ok\n")
      case "/health", "/ready":
        let report =
          await within(.milliseconds(900)) { [assembly] in await assembly.health(at: now) }
          ?? SiteHealth.Report(problems: ["store: it does not answer within a second"])
        return Self.text(report.problems.isEmpty ? 200 : 503, report.text)
      case "/metrics":
        return Self.text(200, Self.metrics(assembly, at: now))
      default:
        return await assembly.respondToOperator(request, from: peer)
          ?? Self.text(404, "Not found.\n")
      }
    }

    private static func metrics(_ assembly: Assembly, at now: Instant) -> String {
      let prefix = assembly.counters.prefix
      var metrics = MetricText()
      assembly.counters.write(ends: assembly.keyEnds(at: now), to: &metrics)
      DependencyMetrics.write(assembly.dependencies.reports, prefix: prefix, to: &metrics)
      let dropped = "\(prefix)_log_dropped_lines_total"
      metrics.begin(dropped, .counter, "Lines of the log that their reader did not take in time.")
      metrics.sample(dropped, [], LogBuffer.standardError.dropped)
      let build = "\(prefix)_build_info"
      metrics.begin(build, .gauge, "The release, always 1.")
      metrics.sample(build, [("version", ReleaseNumber.text)], 1)
      return metrics.text
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
      let fields = try? HTTPFields([("Content-Type", "text/plain; charset=utf-8")])
      return HTTPResponse(
        status: status, fields: fields ?? HTTPFields(), body: Array(text.utf8))
    }
  }

  extension Listener {
    /// A listener for operations, with the few connections that are kept for it. It ends within a second.
    ///
    /// - Throws: `listen.tls`.
    init(
      operations: ServiceResponder, at address: HostPort, logger: Logger
    ) throws(TokenError) {
      var times = WaitingTimes()
      times.end = .seconds(1)
      try self.init(
        operations, at: address, connections: Descriptors.operations, times: times, logger: logger)
    }
  }

  /// What `body` returns, or nil where that takes longer; it is not waited for then.
  package func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (values, first) = AsyncStream<Value?>.makeStream()
    let tasks = [
      Task { _ = first.yield(await body()) },
      Task {
        try? await Task.sleep(for: limit)
        first.yield(nil)
      },
    ]
    for await value in values {
      tasks.forEach { $0.cancel() }
      return value
    }
    return nil
  }
#endif
