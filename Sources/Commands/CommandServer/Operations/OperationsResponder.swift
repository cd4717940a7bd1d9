#if Server
  package import HTTPExchange
  import HTTPTypes
  package import Hummingbird
  package import HummingbirdFederation
  package import Logging
  import NIOCore
  package import SignIn
  import TokenBasics

  /// Answers `/health` and `/metrics`, on an address of their own: 200 where everything is well, 503 and why where not.
  package struct OperationsResponder: HTTPResponder {
    private let health: @Sendable (Instant) async -> SiteHealth.Report
    private let metrics: @Sendable (Instant) -> String
    private let other: @Sendable (Request, FederationContext) async throws -> Response?

    /// - Parameters:
    ///   - health: The state at an instant.
    ///   - metrics: The text of Prometheus.
    ///   - other: What else is at this address; nil for a path that there is not.
    package init(
      health: @escaping @Sendable (Instant) async -> SiteHealth.Report,
      metrics: @escaping @Sendable (Instant) -> String,
      other: @escaping @Sendable (Request, FederationContext) async throws -> Response? = {
        _, _ in nil
      }
    ) {
      self.health = health
      self.metrics = metrics
      self.other = other
    }

    package func respond(
      to request: Request, context: FederationContext
    ) async throws -> Response {
      let now = SystemTime().now
      switch request.uri.path {
      case "/health":
        let report = await health(now)
        return Self.text(report.problems.isEmpty ? .ok : .serviceUnavailable, report.text)
      case "/metrics": return Self.text(.ok, metrics(now))
      default:
        return try await other(request, context) ?? Self.text(.notFound, "Not found.\n")
      }
    }

    private static func text(_ status: HTTPTypes.HTTPResponse.Status, _ text: String) -> Response {
      Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }

  extension Listener {
    /// A listener for operations, with the few connections that are kept for it. It ends within a second.
    ///
    /// - Throws: `listen.tls`.
    package init(
      _ operations: OperationsResponder, at address: HostPort, logger: Logger
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
