#if Client
  public import HTTPExchange
  public import Logging
  public import Metrics
  public import TokenBasics
  public import Tracing

  /// Logs, counts, times and traces the activities of the network code. Activities contain no secret, so it
  /// is safe in production.
  ///
  /// An activity becomes a span of its name, a timer `federation.NAME` and a counter
  /// `federation.NAME.total`, both with the dimension `outcome`: `ok` or the code of the error.
  /// An event becomes a counter; a measurement, a gauge. The attributes `source` and `code` become
  /// dimensions: both have few values.
  ///
  /// A span is a child of the current one; where there is none, of the one that `TraceContext.current` names: the caller's, as it
  /// stands in `traceparent` of the request. Requests that are sent meanwhile name the span as theirs, where the tracer speaks W3C Trace
  /// Context, else the caller's. Each line of the log has the identifier of the trace as `trace`.
  public struct FederationTelemetry: ActivityObserver {
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let tracer: any Tracer

    /// An observer for these backends; by default those that the program bootstrapped.
    public init(
      logger: Logger = Logger(label: "swift-federation"),
      metrics: any MetricsFactory = MetricsSystem.factory,
      tracer: any Tracer = InstrumentationSystem.tracer
    ) {
      self.logger = logger
      self.metrics = metrics
      self.tracer = tracer
    }

    /// Runs `body` in a span, records its timer and counter, and logs success as debug, an error as warning.
    /// - Throws: Errors of `body`.
    public func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value {
      let start = ContinuousClock.now
      let result = await traced(activity, body)
      let elapsed = start.duration(to: .now)
      var outcome = "ok"
      if case .failure(let error) = result { outcome = error.code.rawValue }
      let dimensions = dimensions(of: activity) + [("outcome", outcome)]
      Timer(label: label(activity), dimensions: dimensions, factory: metrics)
        .recordNanoseconds(nanoseconds(elapsed))
      Counter(label: label(activity) + ".total", dimensions: dimensions, factory: metrics)
        .increment()
      log(activity, result, milliseconds: nanoseconds(elapsed) / 1_000_000)
      return try result.get()
    }

    /// Increments the event's counter and logs it: as warning if it has a `code`, else as info.
    public func happened(_ activity: Activity) {
      Counter(label: label(activity), dimensions: dimensions(of: activity), factory: metrics)
        .increment()
      let isBad = activity["code"] != nil
      logger.log(
        level: isBad ? .warning : .info, "\(activity.name)", metadata: metadata(of: activity))
    }

    /// Records the value in the gauge `federation.NAME`.
    public func measured(_ activity: Activity, value: Double) {
      Gauge(label: label(activity), dimensions: dimensions(of: activity), factory: metrics)
        .record(value)
    }

    private func traced<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async -> Result<Value, TokenError> {
      let span: any Span = tracer.startSpan(
        "\(activity.name)", context: parent, ofKind: activity.side == .server ? .server : .client)
      for (name, value) in activity.attributes { span.attributes["\(name)"] = value }
      let result = await ServiceContext.withValue(span.context) {
        await TraceContext.$current.withValue(trace(of: span)) {
          () async -> Result<Value, TokenError> in
          do throws(TokenError) {
            return .success(try await body())
          } catch {
            return .failure(error)
          }
        }
      }
      if case .failure(let error) = result {
        span.attributes["error.type"] = error.code.rawValue
        span.setStatus(SpanStatus(code: .error, message: error.message))
      }
      span.end()
      return result
    }

    /// What a span that begins now is part of.
    private var parent: ServiceContext {
      if let current = ServiceContext.current { return current }
      var context = ServiceContext.topLevel
      if let trace = TraceContext.current {
        tracer.extract(["traceparent": trace.text], into: &context, using: TraceFields())
      }
      return context
    }

    /// The span as requests name it that are sent in it; what was current where the tracer does not write `traceparent`.
    private func trace(of span: any Span) -> TraceContext? {
      var written: [String: String] = [:]
      tracer.inject(span.context, into: &written, using: TraceFields())
      let fields = written["traceparent"].flatMap { try? HTTPFields([("traceparent", $0)]) }
      return fields.flatMap { TraceContext($0) } ?? TraceContext.current
    }

    private func log<Value>(
      _ activity: Activity, _ result: Result<Value, TokenError>, milliseconds: Int64
    ) {
      var metadata = metadata(of: activity)
      metadata["milliseconds"] = "\(milliseconds)"
      switch result {
      case .success:
        logger.debug("\(activity.name)", metadata: metadata)
      case .failure(let error):
        metadata["code"] = "\(error.code)"
        if let node = error.node { metadata["at"] = "\(node)" }
        logger.warning("\(activity.name): \(error.message)", metadata: metadata)
      }
    }

    private func label(_ activity: Activity) -> String { "federation.\(activity.name)" }

    private func dimensions(of activity: Activity) -> [(String, String)] {
      activity.attributes.filter { ["source", "code"].contains("\($0.name)") }
        .map { ("\($0.name)", $0.value) }
    }

    private func metadata(of activity: Activity) -> Logger.Metadata {
      var metadata = Logger.Metadata(
        activity.attributes.map { ("\($0.name)", "\($0.value)") }, uniquingKeysWith: { $1 })
      if let trace = TraceContext.current { metadata["trace"] = "\(trace.traceID)" }
      return metadata
    }

    private func nanoseconds(_ duration: Duration) -> Int64 {
      let (seconds, attoseconds) = duration.components
      return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
  }

  /// Reads and writes names and values for a tracer.
  private struct TraceFields: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? {
      carrier[key.lowercasedASCII]
    }

    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
      carrier[key.lowercasedASCII] = value
    }
  }
#endif
